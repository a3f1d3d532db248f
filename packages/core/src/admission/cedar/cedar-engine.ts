import type { Logger } from '@vmcp/domain'
import type { AuthorizationAnswer } from '@cedar-policy/cedar-wasm/nodejs'

import type { Decision, Denial } from '../question.js'
import type { ArgumentsMayHelp } from './argument-policies.js'
import type { EntityStore, RequestEntity } from './entity-store.js'
import type { Cedar } from './engine-module.js'
import type { Principal } from './principal.js'
import type { Target } from './target.js'

/** What an engine is made from. */
export interface EngineOptions {
  readonly cedar: Cedar
  /** The preparsed policies. */
  readonly policySetId: string
  readonly argumentsMayHelp: ArgumentsMayHelp
  readonly entities: EntityStore
  readonly serverName: string
  readonly logger: Logger
}

/**
 * Asks Cedar, every time. It fails closed: where any policy could not be evaluated the answer is no, since the one that
 * failed may be the one that forbids. That is logged once for each policy, by its id: Cedar's own message may name the
 * caller.
 */
export function cedarEngine(options: EngineOptions): (principal: Principal, target: Target) => Decision {
  const { cedar, policySetId, argumentsMayHelp, entities, serverName, logger } = options
  const reported = new Set<string>()

  const denial = (why: Denial, policyIds: readonly string[], target: Target): Decision => {
    const mayHelp = target.takesArguments && argumentsMayHelp(policyIds)
    return { allowed: false, why, policyIds, argumentsMayHelp: mayHelp }
  }

  const deny = (policyIds: readonly string[], target: Target): Decision => {
    const faults = policyIds.length === 0 ? ['engine'] : policyIds
    const isNews = faults.some((fault) => !reported.has(fault))
    for (const fault of faults) reported.add(fault)
    const message = 'denied, since a policy could not be evaluated'
    logger[isNews ? 'warn' : 'debug'](message, { action: target.action.id, policies: policyIds })
    return denial('undecidable', policyIds, target)
  }

  return (principal, target) => {
    const resource: RequestEntity = {
      uid: target.resource,
      attrs: { ...target.attributes },
      parents: [{ type: 'MCP', id: serverName }],
    }
    const action: RequestEntity = { uid: target.action, attrs: { operation: target.action.id }, parents: [] }
    const answer = ask(() =>
      cedar.statefulIsAuthorized({
        preparsedPolicySetId: policySetId,
        principal: principal.entity.uid,
        action: target.action,
        resource: target.resource,
        context: { ...principal.claims, ...target.parameters },
        entities: entities.complete([principal.entity, action, resource]),
      }),
    )
    if (answer?.type !== 'success') return deny([], target)
    const { decision, diagnostics } = answer.response
    const failed = new Set(diagnostics.errors.map((error) => error.policyId))
    if (failed.size > 0) return deny([...failed].sort(), target)
    const policyIds = [...diagnostics.reason].sort()
    if (decision === 'allow') return { allowed: true, policyIds }
    return denial(policyIds.length === 0 ? 'unpermitted' : 'forbidden', policyIds, target)
  }
}

/** The engine throws at text that is no Unicode, a lone surrogate for example. */
function ask(question: () => AuthorizationAnswer): AuthorizationAnswer | undefined {
  try {
    return question()
  } catch {
    return undefined
  }
}
