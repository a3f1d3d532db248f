import type { JsonObject } from '@vmcp/domain'
import type { Era } from './era.js'
import { statelessRevision } from './http/protocol-headers.js'
import type { RpcRequest } from './json-rpc.js'

/** One request of ours, before it has an id. */
export interface ConnectionRequest {
  readonly method: string
  readonly params: JsonObject
  /** Relayable metadata of the caller. */
  readonly meta?: JsonObject | undefined
  /** True when the caller wants to hear of progress. */
  readonly wantsProgress?: boolean
  /** True when the caller can take log messages of the call (2026-07-28 sends none unasked). */
  readonly wantsLogs?: boolean
  /** What the backend may ask of this caller (2026-07-28). */
  readonly clientCapabilities?: JsonObject
}

const reservedMeta = 'io.modelcontextprotocol/'

/** Makes the requests of one connection: gives each an id, and the metadata that its era wants. */
export class RequestMaker {
  readonly #era: Era
  readonly #clientInfo: { readonly name: string; readonly version: string }
  /** Ids of our own, far from those that the SDK's client gives to its few requests. */
  #nextId = 1_000_000
  #meta: JsonObject | undefined
  #metaWithLogs: JsonObject | undefined

  constructor(era: Era, clientInfo: { readonly name: string; readonly version: string }) {
    this.#era = era
    this.#clientInfo = clientInfo
  }

  make({ method, params, meta, wantsProgress, ...more }: ConnectionRequest): RpcRequest {
    this.#nextId += 1
    const id = this.#nextId
    const isPlain = meta === undefined && wantsProgress !== true
    if (isPlain && this.#era === '2025') return { jsonrpc: '2.0', id, method, params }
    const own = this.#era === '2026' ? this.#statelessMeta(more) : undefined
    const progress = wantsProgress === true ? { progressToken: id } : undefined
    return {
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: isPlain ? own : { ...meta, ...progress, ...own } },
    }
  }

  /** What every request of 2026-07-28 says of us, made once for clients that can be asked nothing. */
  #statelessMeta({ clientCapabilities, wantsLogs }: Pick<ConnectionRequest, 'clientCapabilities' | 'wantsLogs'>) {
    if (clientCapabilities !== undefined) return this.#makeMeta(clientCapabilities, wantsLogs)
    if (wantsLogs === true) return (this.#metaWithLogs ??= this.#makeMeta({}, true))
    return (this.#meta ??= this.#makeMeta({}, false))
  }

  #makeMeta(clientCapabilities: JsonObject, wantsLogs = false): JsonObject {
    return {
      [`${reservedMeta}protocolVersion`]: statelessRevision,
      [`${reservedMeta}clientInfo`]: this.#clientInfo,
      [`${reservedMeta}clientCapabilities`]: clientCapabilities,
      ...(wantsLogs && { [`${reservedMeta}logLevel`]: 'debug' }),
    }
  }
}
