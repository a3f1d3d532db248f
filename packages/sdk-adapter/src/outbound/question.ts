import type { ClientCapabilities, ClientChannel, InputRequired, JsonObject, Meta } from '@vmcp/domain'
import { refuseUndeclared } from './backend-requests.js'
import type { ConnectionRequest } from './request-maker.js'
import { readInputRequired } from './from-wire.js'
import type { Round } from './input-rounds.js'
import { capabilitiesToWire, outgoingMeta } from './to-wire.js'

/** One request, before it meets a connection. */
export interface Question<Answer> {
  readonly method: string
  readonly params: JsonObject
  readonly meta?: Meta | undefined
  /** Reads the raw result. Throws a `WireFailure` for one it cannot read. */
  read(result: JsonObject): Answer
  /** The answer when the backend has no such method; an error when absent. */
  readonly ifMissing?: Answer
}

/** A question as a request for this client. */
export function requestOf({ method, params, meta }: Question<unknown>, client?: ClientChannel): ConnectionRequest {
  return {
    method,
    params,
    meta: meta && outgoingMeta(meta),
    wantsProgress: client?.wantsProgress === true,
    wantsLogs: client !== undefined,
  }
}

/** The same, in one round of a call that the backend may answer with a question. */
export function roundRequest(
  { params, ...question }: Question<unknown>,
  client: ClientChannel,
  round: Round,
): ConnectionRequest {
  const clientCapabilities = capabilitiesToWire(client.capabilities)
  return { ...requestOf({ ...question, params: { ...params, ...round } }, client), clientCapabilities }
}

/** Reads what a backend answers or asks. Throws `ClientCapabilityMissing` for what its client cannot be asked. */
export function readAnswer<Answer>(
  question: Question<Answer>,
  result: JsonObject,
  declared: ClientCapabilities,
): Answer | InputRequired {
  const asked = readInputRequired(result)
  if (asked === undefined) return question.read(result)
  refuseUndeclared(asked, declared)
  return asked
}
