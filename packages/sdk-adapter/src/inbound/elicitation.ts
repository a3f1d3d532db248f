import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client'
import type { ElicitationRequest, ElicitationRequester, ElicitationResult, JsonObject } from '@vmcp/domain'
import { InvalidInput, relayableMeta } from '@vmcp/domain'

/** Sends one request to the client and resolves with its raw result. */
export type SendToClient = (
  method: string,
  params: JsonObject,
  options?: { readonly signal?: AbortSignal },
) => Promise<JsonObject>

/**
 * The elicitation port over a connection to a client: the only place where a question changes from domain words to the
 * protocol's, and its answer back. Message, schema and content pass through untouched; nothing given is changed.
 */
export function createElicitationRequester(send: SendToClient): ElicitationRequester {
  return {
    requestElicitation: async (request, options) =>
      fromElicitResult(await send('elicitation/create', { ...toElicitParams(request) }, options)),
  }
}

/** Domain to protocol: form mode, `meta` as `_meta` without reserved keys, absent stays absent. */
export function toElicitParams({ message, requestedSchema, meta }: ElicitationRequest): JsonObject {
  const relayed = relayableMeta(meta)
  return { message, requestedSchema, ...(relayed !== undefined && { _meta: relayed }) } satisfies WireParams
}

/** Protocol to domain. The content is not interpreted; an action that does not exist is an `InvalidInput`. */
export function fromElicitResult(result: JsonObject): ElicitationResult {
  const { action, content } = result
  if (!isAction(action)) throw new InvalidInput('the client answered an elicitation with an unknown action')
  return { action, ...(content !== undefined && { content }) }
}

/** The protocol's own field names, so that a renamed field does not compile. */
type WireParams = Partial<Record<keyof ElicitRequestFormParams, unknown>>

const actions: Readonly<Record<ElicitResult['action'], true>> = { accept: true, decline: true, cancel: true }

function isAction(action: unknown): action is ElicitationResult['action'] {
  return typeof action === 'string' && Object.hasOwn(actions, action)
}
