import { InvalidConfig } from '@vmcp/domain'
import type { ConfigProblem, Identity } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'

import type { AuthorizationConfig } from '../../core-config.js'
import type { AdmissionOptions, AdmissionShape } from '../admission.js'
import { decisionCache } from '../decision-cache.js'
import { keptLists } from '../kept-lists.js'
import type { Decision, Question } from '../question.js'
import { argumentsMayHelp } from './argument-policies.js'
import { cedarEngine } from './cedar-engine.js'
import { readEntities } from './entity-store.js'
import type { EntityStore } from './entity-store.js'
import { cedar } from './engine-module.js'
import type { Cedar } from './engine-module.js'
import { mentionsOf } from './mentions.js'
import { plainUri } from './plain-uri.js'
import { readPolicies } from './policies.js'
import { preparsed } from './preparsed.js'
import { principalOf } from './principal.js'
import type { Principal } from './principal.js'
import { targetOf } from './target.js'
import { toolDecisions } from './tool-decisions.js'

/** Decisions that are made in one go before other work gets its turn: some 2 ms with few policies, 20 ms with 500. */
const chunkSize = 16
const defaultGroupType = 'THVGroup'
const nobody: Decision = { allowed: false, why: 'unpermitted', policyIds: [], argumentsMayHelp: false }

/** Admission by Cedar policies: what no policy permits, one forbids or one cannot be evaluated for, is denied. */
export const cedarAdmission = Effect.fnUntraced(function* (
  options: AdmissionOptions & { readonly authorization: AuthorizationConfig },
): Effect.fn.Return<AdmissionShape, InvalidConfig, Scope.Scope> {
  const { authorization, serverName, logger } = options
  const groupEntityType = authorization.groupEntityType ?? defaultGroupType
  const { policies, problems } = readPolicies(cedar, authorization.policies)
  const mentions = mentionsOf(policies.map((policy) => policy.json))
  const entities = readEntities(cedar, authorization.entitiesJson ?? '[]', mentions.entities)
  const all = [
    ...(serverName === '' ? [{ path: 'name', message: 'authorization needs a server name' }] : []),
    ...problems,
    ...groupTypeProblems(cedar, groupEntityType),
    ...(isStore(entities) ? [] : entities),
  ]
  if (all.length > 0 || !isStore(entities)) return yield* Effect.fail(new InvalidConfig(all))
  if (groupEntityType !== defaultGroupType && entities.types.has(defaultGroupType)) {
    logger.warn(`entitiesJson holds ${defaultGroupType} entities, but groups are of another type`, { groupEntityType })
  }

  const policySetId = yield* preparsed(cedar, policies)
  const mayHelp = argumentsMayHelp(policies)
  const evaluate = cedarEngine({ cedar, policySetId, argumentsMayHelp: mayHelp, entities, serverName, logger })
  let open = true
  yield* Effect.addFinalizer(() => Effect.sync(() => (open = false)))
  const cache = decisionCache()
  const ofTools = toolDecisions()
  const principals = new WeakMap<Identity, Principal>()
  const principalOptions = { ...authorization, groupEntityType, mentions }

  const lists = keptLists()
  const principalFor = (identity: Identity | null): Principal | undefined => {
    if (identity === null || !open) return undefined
    const known = principals.get(identity)
    const principal = known ?? principalOf(identity, principalOptions)
    if (known === undefined && principal !== undefined) principals.set(identity, principal)
    return principal
  }
  const ask = (principal: Principal, question: Question): Decision => {
    const target = targetOf(question, mentions)
    return cache.get(`${principal.key}\n${target.key}`, () => evaluate(principal, target))
  }
  const decideOne = (identity: Identity | null, question: Question): Decision => {
    const principal = principalFor(identity)
    if (principal === undefined) return nobody
    if (question.kind !== 'tool' || mentions.arguments) return ask(principal, question)
    return ofTools.get(principal, question, () => ask(principal, question))
  }
  // A URI that a server may read as another one needs permission for both.
  const decide = (identity: Identity | null, question: Question): Decision => {
    const decision = decideOne(identity, question)
    if (question.kind !== 'resource' || !decision.allowed) return decision
    const uri = plainUri(question.uri)
    return uri === question.uri ? decision : decideOne(identity, { kind: 'resource', uri })
  }

  return {
    decide: (identity, question) => Effect.sync(() => decide(identity, question)),
    keep: Effect.fnUntraced(function* <Item>(
      identity: Identity | null,
      items: readonly Item[],
      ask: (item: Item) => Question,
    ) {
      const principal = principalFor(identity)
      if (principal === undefined) return []
      const known = lists.get(items, ask, principal.key)
      if (known !== undefined) return known
      const kept: Item[] = []
      for (let start = 0; start < items.length; start += chunkSize) {
        if (start > 0) yield* Effect.yieldNow
        kept.push(...items.slice(start, start + chunkSize).filter((item) => decide(identity, ask(item)).allowed))
      }
      // Callers who may see all share one list, and what is made of it.
      const given = kept.length === items.length ? items : Object.freeze(kept)
      if (open) lists.set(items, ask, { caller: principal.key, kept: given })
      return given
    }),
  }
})

function isStore(entities: EntityStore | readonly ConfigProblem[]): entities is EntityStore {
  return 'complete' in entities
}

/** The type of groups must be one plain Cedar name; Cedar itself knows which words are reserved. */
function groupTypeProblems(cedar: Cedar, type: string): readonly ConfigProblem[] {
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(type)
  const policy = `permit(principal in ${type}::"x", action, resource);`
  if (isName && cedar.checkParsePolicySet({ staticPolicies: policy }).type === 'success') return []
  return [{ path: 'authorization.groupEntityType', message: `expected a Cedar type name without "::", got "${type}"` }]
}
