import type { Transport } from '@modelcontextprotocol/client'
import type { Cancellable, InputRequest, JsonObject } from '@vmcp/domain'
import type { RpcAnswer, RpcIncoming, RpcRequest } from './json-rpc.js'

/** What accompanies one request on its way. */
export interface ExchangeOptions {
  /** What the request is part of: it is given up when that is cancelled. The options of a call, or a signal. */
  readonly call?: Cancellable | undefined
  /** True when that ends the wait only, and the backend is not told that the request is given up. */
  readonly isCancelledSilently?: boolean
  /** Headers of the caller: configured, forwarded and credentials. The carrier's own when absent. */
  readonly headers?: Readonly<Record<string, string>>
  /** `Mcp-Param-*` headers made from arguments. */
  readonly parameterHeaders?: Readonly<Record<string, string>> | undefined
  /** Hears the notifications that belong to this request and to no other. */
  onNotification?(notification: RpcIncoming): void
  /** Answers what the backend asks because of this request. Without it, the backend is told that nobody answers. */
  onRequest?(request: InputRequest, signal: AbortSignal): Promise<JsonObject>
}

/**
 * A transport of the SDK that also carries single requests with their answers.
 * Requests by `exchange` bypass the SDK's result schemas, which would drop or refuse what a later revision adds, and what
 * belongs to a request reaches that request only.
 */
export interface Carrier extends Transport {
  /**
   * Sends a request and resolves with its answer. Rejects with a `WireFailure`. When it is given up before the answer, the
   * backend is told once that the request is given up, where its era has a message for that.
   */
  exchange(request: RpcRequest, options: ExchangeOptions): Promise<RpcAnswer>
  /** The exchange on whose own stream the backend asked, where a transport tells. */
  ownerOf?(requestId: string | number): ExchangeOptions | undefined
  /**
   * Listens to what belongs to no request until the signal aborts, where the backend does not send it unasked.
   * Resolves when it listens, or when it is clear that it cannot.
   */
  watch?(signal: AbortSignal): Promise<void>
  /** Ends the session at the backend, if there is one, and releases everything. Bounded in time, never rejects. */
  end(): Promise<void>
}

/** The SDK's timers never fire: deadlines belong to the core. */
export const noTimeout = 2 ** 31 - 1
