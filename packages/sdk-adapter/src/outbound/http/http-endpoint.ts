import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { EnvHttpProxyAgent, Pool } from 'undici'
import { WireFailure } from '../wire-failure.js'
import { networkFault } from './network-fault.js'

/** One HTTP request. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
  /** Another path of the same origin. */
  readonly path?: string
  /**
   * What may last as long as people need has sockets of its own, so that it cannot use up those of the calls. So has what
   * must not wait for them.
   */
  readonly stream?: boolean
}

/** The first part of an HTTP response. */
export interface HttpHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** Says where the body of a response goes. `stop` ends the exchange at any later moment with the error it is given. */
export type HeadReader = (head: HttpHead, stop: (error: unknown) => void) => BodySink

/** Takes the body of a response, chunk by chunk. An error it throws ends the exchange with that error. */
export type BodySink = (chunk: Uint8Array) => void

/** The limits of an endpoint. */
export interface HttpEndpointOptions {
  /** Sockets for calls at one time; further calls wait. */
  readonly maxConnections: number
  /** Calls that wait at one time; more are refused. */
  readonly maxWaiting: number
  /** Milliseconds for a connection to come about. */
  readonly connectTimeoutMs: number
}

const maxRedirects = 10

/**
 * One URL of a backend, over kept-alive sockets.
 * It follows a redirect only to the same scheme, host and port and only when the method stays, so that credentials cannot
 * leak. It has no deadline of its own once it is connected.
 */
export class HttpEndpoint {
  readonly url: URL
  readonly #calls: Dispatcher
  readonly #streams: Dispatcher
  readonly #options: HttpEndpointOptions
  #callsInFlight = 0

  constructor(url: URL, options: HttpEndpointOptions) {
    this.url = url
    this.#options = options
    const common = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: options.connectTimeoutMs } }
    this.#calls = dispatcher(url, { ...common, connections: options.maxConnections })
    this.#streams = dispatcher(url, common)
  }

  /** Sends a request. `onHead` says where the body goes; the promise resolves when the body has ended. */
  async send(request: HttpRequest, onHead: HeadReader): Promise<HttpHead> {
    if (request.stream === true) return this.#follow(request, onHead)
    const { maxConnections, maxWaiting } = this.#options
    if (this.#callsInFlight >= maxConnections + maxWaiting) throw new WireFailure({ kind: 'busy' })
    this.#callsInFlight += 1
    try {
      return await this.#follow(request, onHead)
    } finally {
      this.#callsInFlight -= 1
    }
  }

  async #follow(request: HttpRequest, onHead: HeadReader): Promise<HttpHead> {
    let path = request.path ?? this.url.pathname + this.url.search
    for (let hop = 0; ; hop += 1) {
      const head = await this.#once(request, path, (start, stop) =>
        isRedirect(start) ? ignoreBody : onHead(start, stop),
      )
      if (!isRedirect(head)) return head
      if (hop === maxRedirects) throw new WireFailure({ kind: 'protocol', detail: 'too many redirects' })
      path = this.#redirectPath(request, path, head)
    }
  }

  /** Ends every socket. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#calls.destroy(), this.#streams.destroy()])
  }

  #redirectPath(request: HttpRequest, path: string, head: HttpHead): string {
    const location = head.headers.location
    const target = location === undefined ? null : URL.parse(location, new URL(path, this.url).href)
    if (target === null || target.origin !== this.url.origin || !keepsMethod(request, head)) {
      throw new WireFailure({ kind: 'protocol', detail: `redirect refused (HTTP ${head.status})` })
    }
    return target.pathname + target.search
  }

  #once(request: HttpRequest, path: string, onHead: HeadReader): Promise<HttpHead> {
    const { signal } = request
    if (signal?.aborted === true) return Promise.reject(new WireFailure({ kind: 'cancelled' }))
    return new Promise((resolve, reject) => {
      let controller: Dispatcher.DispatchController | undefined
      let head: HttpHead | undefined
      let sink: BodySink = ignoreBody
      let failure: unknown

      const fail = (error: unknown) => {
        failure ??= error
        signal?.removeEventListener('abort', onAbort)
        reject(failure)
        controller?.abort(new Error('stopped'))
      }
      const onAbort = () => fail(new WireFailure({ kind: 'cancelled' }))
      signal?.addEventListener('abort', onAbort, { once: true })

      const options: Dispatcher.DispatchOptions = {
        origin: this.url.origin,
        path,
        method: request.method,
        headers: request.headers,
        ...(request.body !== undefined && { body: request.body }),
      }
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (started) => {
          controller = started
          if (failure !== undefined) started.abort(new Error('stopped'))
        },
        onResponseStart: (_controller, status, headers) => {
          if (status < 200) return
          head = { status, headers }
          try {
            sink = onHead(head, fail)
          } catch (error) {
            fail(error)
          }
        },
        onResponseData: (_controller, chunk) => {
          if (failure !== undefined) return
          try {
            sink(chunk)
          } catch (error) {
            fail(error)
          }
        },
        onResponseEnd: () => {
          signal?.removeEventListener('abort', onAbort)
          if (head !== undefined) resolve(head)
        },
        onResponseError: (_controller, error) => {
          if (failure !== undefined) return
          fail(
            new WireFailure(networkFault(error, this.#options.connectTimeoutMs, head !== undefined), { cause: error }),
          )
        },
      }
      try {
        const dispatcher = request.stream === true ? this.#streams : this.#calls
        dispatcher.dispatch(options, handler)
      } catch (error) {
        fail(new WireFailure({ kind: 'unreachable', detail: 'the request cannot be sent' }, { cause: error }))
      }
    })
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

function isRedirect({ status }: HttpHead): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

function keepsMethod(request: HttpRequest, { status }: HttpHead): boolean {
  return request.method === 'GET' || status === 307 || status === 308
}

function ignoreBody(): void {
  // A body that nobody reads.
}
