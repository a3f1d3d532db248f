import type {
  BackendStatus,
  CallOptions,
  CapabilityKind,
  Explanation,
  ExplanationStep,
  Finding,
  Identity,
  VmcpError,
} from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'

import { Admission } from '../admission/admission.js'
import type { Question } from '../admission/question.js'
import type { Offer } from '../composites/offer.js'
import { Health } from '../health/health.js'
import type { Rooms } from '../rooms.js'
import { Settings } from '../settings.js'
import { look } from '../verbs/look.js'
import { aboutPrompt, aboutResource, aboutTemplate, aboutTool } from '../verbs/questions.js'
import { explanationText } from './explanation-text.js'
import { locate } from './locate.js'
import { nearNames } from './near-names.js'
import { noViewStep } from './no-view-step.js'
import { policyStep } from './policy-step.js'
import { describeWay, failedStep } from './way.js'

/** Why a caller can or cannot see and use something. For operators: it tells of things that the caller is not shown. */
export const explain = Effect.fnUntraced(function* (
  identity: Identity | null,
  subject: { readonly kind: CapabilityKind; readonly name: string },
  options?: CallOptions,
): Effect.fn.Return<Explanation, VmcpError, Rooms> {
  const { kind, name } = subject
  const { aggregation } = yield* Settings
  const statuses = new Map((yield* Health).statuses().map((status) => [status.id, status]))
  const seen = yield* Effect.result(look(identity, options))
  if (Result.isFailure(seen)) {
    const step = noViewStep(seen.failure)
    return step === undefined
      ? yield* Effect.fail(seen.failure)
      : explanation(subject, [step], { listed: false, argumentsMayHelp: false })
  }
  const offer = seen.success
  const located = locate(offer, kind, name)
  const way =
    located.type === 'unknown'
      ? [unknownStep(subject, { offer, statuses }, nearNames(name, yield* ownNames(identity, kind, offer)))]
      : describeWay(located, { kind, offer, aggregation, statuses })
  const decision = yield* (yield* Admission).decide(identity, questionOf(offer, kind, name))
  const meetsPolicy = way.every(({ passed }) => passed)
  return {
    ...explanation(subject, meetsPolicy ? [...way, policyStep(decision)] : way, {
      listed: (located.type === 'advertised' || located.type === 'composite') && decision.allowed,
      argumentsMayHelp: meetsPolicy && !decision.allowed && decision.argumentsMayHelp,
    }),
    ...(located.type === 'renamed' && { advertisedAs: located.names }),
  }
})

function explanation(
  { kind, name }: { readonly kind: CapabilityKind; readonly name: string },
  steps: readonly ExplanationStep[],
  { listed, argumentsMayHelp }: { readonly listed: boolean; readonly argumentsMayHelp: boolean },
): Explanation {
  const answer = { kind, name, listed, reachable: steps.every(({ passed }) => passed), steps }
  return { ...answer, text: explanationText({ ...answer, argumentsMayHelp }) }
}

function unknownStep(
  { kind, name }: { readonly kind: CapabilityKind; readonly name: string },
  known: { readonly offer: Offer; readonly statuses: ReadonlyMap<string, BackendStatus> },
  near: readonly string[],
): ExplanationStep {
  const suspect = suspectOf(name, known)
  if (suspect !== undefined) return failedStep('health', suspect)
  const silent = [...silentBackends(known)].map(([, why]) => why)
  const unknown = silent.length === 0 ? '' : `; what these offer is not known: ${silent.join('; ')}`
  const hint = near.length === 0 ? '' : `; near names: ${near.join(', ')}`
  return failedStep('offer', `no backend offers a ${kind} "${name}"${unknown}${hint}`)
}

/** The trouble of the one backend that the name seems to belong to. */
function suspectOf(
  name: string,
  known: { readonly offer: Offer; readonly statuses: ReadonlyMap<string, BackendStatus> },
): string | undefined {
  for (const [id, why] of silentBackends(known)) if (name.startsWith(id)) return why
  return undefined
}

/** Backends whose offers are not known, and why. */
function silentBackends({
  offer,
  statuses,
}: {
  readonly offer: Offer
  readonly statuses: ReadonlyMap<string, BackendStatus>
}): ReadonlyMap<string, string> {
  const failed = offer.view.report.findings.filter(
    (finding): finding is Finding & { readonly backendId: string } =>
      finding.reason === 'backend-failed' && finding.backendId !== undefined,
  )
  return new Map([
    ...[...statuses.values()].flatMap((status) => {
      const trouble = troubleOf(status)
      return trouble === undefined ? [] : [[status.id, `backend ${status.id} ${trouble}`] as const]
    }),
    ...failed.map(({ backendId, message }) => [backendId, `backend ${backendId}: ${message}`] as const),
  ])
}

/** Why a backend is not asked, if it is not. One whose first probe failed is not, though not yet called unhealthy. */
function troubleOf({ health, lastFailure }: BackendStatus): string | undefined {
  if (health === 'unhealthy' || health === 'unauthenticated') return `is ${health}`
  return health === 'unknown' && lastFailure !== undefined ? `has not answered yet (${lastFailure})` : undefined
}

function questionOf(offer: Offer, kind: CapabilityKind, name: string): Question {
  if (kind === 'resource') return { kind, uri: name }
  if (kind === 'prompt') return { kind, name }
  const tool = offer.toolsByName.get(name)
  return tool === undefined ? { kind, name } : aboutTool(tool)
}

const ownNames = Effect.fnUntraced(function* (identity: Identity | null, kind: CapabilityKind, offer: Offer) {
  const admission = yield* Admission
  switch (kind) {
    case 'tool':
      return (yield* admission.keep(identity, offer.tools, aboutTool)).map(({ name }) => name)
    case 'prompt':
      return (yield* admission.keep(identity, offer.prompts, aboutPrompt)).map(({ name }) => name)
    case 'resource':
      return [
        ...(yield* admission.keep(identity, offer.resources, aboutResource)).map(({ uri }) => uri),
        ...(yield* admission.keep(identity, offer.templates, aboutTemplate)).map(({ uriTemplate }) => uriTemplate),
      ]
  }
})
