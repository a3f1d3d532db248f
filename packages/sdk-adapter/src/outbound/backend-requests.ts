import type { ClientCapabilities, ClientChannel, InputRequest, InputRequired, JsonObject } from '@vmcp/domain'
import { ClientCapabilityMissing, isJsonObject } from '@vmcp/domain'
import { RefusedRequest } from './refused-request.js'
import { WireFailure } from './wire-failure.js'

/** What a backend can ask of a client. */
export type Askable = 'elicitation' | 'sampling' | 'roots'

/** A client that can be asked while its call runs. */
export interface AskableClient extends ClientChannel {
  forward(request: InputRequest, options?: { readonly signal?: AbortSignal }): Promise<JsonObject>
}

/** The client, if it can be asked anything while its call runs. */
export function askableClient(client: ClientChannel | undefined): AskableClient | undefined {
  if (client?.answers !== 'push' || client.forward === undefined) return undefined
  return declaresAnything(client.capabilities) ? (client as AskableClient) : undefined
}

/** True for a client that can be asked anything at all. */
export function declaresAnything({ elicitation, sampling, roots }: ClientCapabilities): boolean {
  return elicitation !== undefined || sampling !== undefined || roots === true
}

/** Hands a question of a backend to the client of its own call, if that client declared to answer such questions. */
export async function forwardRequest(
  client: AskableClient,
  request: InputRequest,
  signal?: AbortSignal,
): Promise<JsonObject> {
  refuseUnaskable(client.capabilities, request)
  return client.forward(request, signal === undefined ? {} : { signal })
}

/** Throws what a backend is told that asks for something its client never declared. */
export function refuseUnaskable(capabilities: ClientCapabilities, request: InputRequest): void {
  if (isAskable(capabilities, request)) return
  const kind = kindOf(request.method)
  throw new RefusedRequest(kind === undefined ? undefined : `The client has no ${kind}`)
}

/** Throws `ClientCapabilityMissing` for a result that asks what its client never declared to answer. */
export function refuseUndeclared({ inputRequests = {} }: InputRequired, capabilities: ClientCapabilities): void {
  for (const request of Object.values(inputRequests)) {
    if (isAskable(capabilities, request)) continue
    const kind = kindOf(request.method)
    if (kind !== undefined) throw new ClientCapabilityMissing(kind)
    throw new WireFailure({ kind: 'protocol', detail: 'it asks for something unknown' })
  }
}

function isAskable(capabilities: ClientCapabilities, { method, params }: InputRequest): boolean {
  switch (kindOf(method)) {
    case 'elicitation': {
      const mode = isJsonObject(params) && params['mode'] === 'url' ? 'url' : 'form'
      return capabilities.elicitation?.[mode] === true
    }
    case 'sampling':
      return capabilities.sampling !== undefined
    case 'roots':
      return capabilities.roots === true
    default:
      return false
  }
}

function kindOf(method: string): Askable | undefined {
  return kinds[method]
}

const kinds: Readonly<Record<string, Askable>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}
