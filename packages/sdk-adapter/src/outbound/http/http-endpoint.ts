import type { Dispatcher } from 'undici'
import { EnvHttpProxyAgent, Pool } from 'undici'
import { WireFailure } from '../wire-failure.js'
import type { HttpHead, HttpRequest, ResponseReader } from './http-call.js'
import { HttpCall } from './http-call.js'
import { HttpLine } from './http-line.js'

/** Says where the body of a response goes. */
export type HeadReader = (head: HttpHead) => BodySink

/** Takes the body of a response, chunk by chunk. An error it throws ends the exchange with that error. */
export type BodySink = (chunk: Buffer) => void

/** The limits of an endpoint. */
export interface HttpEndpointOptions {
  /** Sockets for calls at one time; further calls wait. */
  readonly maxConnections: number
  /** Calls that wait at one time; more are refused. */
  readonly maxWaiting: number
  /** Milliseconds for a connection to come about. */
  readonly connectTimeoutMs: number
}

/**
 * One URL of a backend, over kept-alive sockets.
 * It follows a redirect only to the same scheme, host and port and only when the method stays, so that credentials cannot
 * leak. It has no deadline of its own once it is connected.
 */
export class HttpEndpoint {
  readonly url: URL
  readonly #path: string
  readonly #calls: HttpLine
  readonly #streams: HttpLine

  constructor(url: URL, { maxConnections, maxWaiting, connectTimeoutMs }: HttpEndpointOptions) {
    this.url = url
    this.#path = url.pathname + url.search
    const common = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } }
    const line = { origin: url.origin, connectTimeoutMs }
    const calls = dispatcher(url, { ...common, connections: maxConnections })
    this.#calls = new HttpLine(calls, { ...line, maxConnections, maxWaiting })
    this.#streams = new HttpLine(dispatcher(url, common), { ...line, maxConnections: Infinity, maxWaiting: 0 })
  }

  /** A request with its reader, not started yet. */
  call(request: HttpRequest, reader: ResponseReader): HttpCall {
    const line = request.stream === true ? this.#streams : this.#calls
    return new HttpCall(line, request, { path: request.path ?? this.#path, reader })
  }

  /** Sends a request. `onHead` says where the body goes; the promise resolves when the body has ended. */
  send(request: HttpRequest & { readonly signal?: AbortSignal | undefined }, onHead: HeadReader): Promise<HttpHead> {
    const { signal } = request
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(new WireFailure({ kind: 'cancelled' }))
      let sink: BodySink | undefined
      const leave = () => signal?.removeEventListener('abort', onAbort)
      const call = this.call(request, {
        head: (head) => {
          sink = onHead(head)
        },
        data: (chunk) => sink?.(chunk),
        end: (head) => {
          leave()
          resolve(head)
        },
        failed: (error) => {
          leave()
          reject(error)
        },
      })
      const onAbort = () => call.stop(new WireFailure({ kind: 'cancelled' }))
      signal?.addEventListener('abort', onAbort, { once: true })
      call.start()
    })
  }

  /** Ends every socket and every call. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#calls.close(), this.#streams.close()])
  }
}

/** The usual proxy variables are honoured, except for this machine itself. */
function dispatcher(url: URL, options: Pool.Options): Dispatcher {
  const { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY } = process.env
  const hasProxy = [http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY].some(
    (proxy) => proxy !== undefined && proxy !== '',
  )
  return hasProxy && !isLoopback(url) ? new EnvHttpProxyAgent(options) : new Pool(url.origin, options)
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
