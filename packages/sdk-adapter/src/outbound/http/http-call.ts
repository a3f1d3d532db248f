import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { WireFailure } from '../wire-failure.js'
import type { HttpLine, LineCall } from './http-line.js'
import { networkFault } from './network-fault.js'
import { isRedirect, redirectPath } from './redirects.js'

/** One HTTP request. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** Names and values by turns. They are not changed. */
  readonly headers: string[]
  readonly body?: string
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

/**
 * Hears one response. `head` and then `data` may be called; `end` or `failed` is called, once, and nothing after it. What
 * one of them throws is handed to `failed`.
 */
export interface ResponseReader {
  head(head: HttpHead): void
  data(chunk: Buffer): void
  end(head: HttpHead): void
  failed(error: unknown): void
}

/** Where one request goes, and who hears the response. */
export interface HttpCallOptions {
  readonly path: string
  readonly reader: ResponseReader
}

const maxRedirects = 10

/** One request on its way, with the redirects it is led through. Its fields are what undici's handler needs. */
export class HttpCall implements Dispatcher.DispatchHandler, LineCall {
  readonly #line: HttpLine
  readonly #request: HttpRequest
  readonly #reader: ResponseReader
  #path: string
  #hops = 0
  #controller: Dispatcher.DispatchController | undefined
  #head: HttpHead | undefined
  /** True while the reader waits for the end. */
  #isRunning = false
  /** True while undici has it, which may be longer. */
  #hasPlace = false

  constructor(line: HttpLine, request: HttpRequest, { path, reader }: HttpCallOptions) {
    this.#line = line
    this.#request = request
    this.#reader = reader
    this.#path = path
  }

  /** Sends the request when it is its turn, unless too many wait for theirs. */
  start(): void {
    this.#isRunning = true
    if (!this.#line.enter(this)) this.stop(new WireFailure({ kind: 'busy' }))
  }

  send(): void {
    this.#hasPlace = true
    this.#dispatch()
  }

  /** True as soon as it has had a socket, so that the backend may have heard of it. */
  get isSent(): boolean {
    return this.#hops > 0 || this.#controller !== undefined
  }

  /** Ends the exchange with this error, unless it has ended. */
  stop(error: unknown): void {
    if (!this.#isRunning) return
    this.#settle()
    if (this.#hasPlace) this.#controller?.abort(new Error('stopped'))
    else this.#line.withdraw(this)
    this.#reader.failed(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.#isRunning) controller.abort(new Error('stopped'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || !this.#isRunning) return
    this.#head = { status, headers }
    if (isRedirect(status)) return
    try {
      this.#reader.head(this.#head)
    } catch (error) {
      this.stop(error)
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isRunning || this.#head === undefined || isRedirect(this.#head.status)) return
    try {
      this.#reader.data(chunk)
    } catch (error) {
      this.stop(error)
    }
  }

  onResponseEnd(): void {
    const head = this.#head
    if (!this.#isRunning || head === undefined) return this.#leave()
    if (isRedirect(head.status)) return this.#follow(head)
    this.#settle()
    this.#leave()
    try {
      this.#reader.end(head)
    } catch (error) {
      this.#reader.failed(error)
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const fault = networkFault(error, this.#line.connectTimeoutMs, this.#head !== undefined)
    this.#end(new WireFailure(fault, { cause: error }))
  }

  #dispatch(): void {
    const { origin, dispatcher } = this.#line
    const { method, headers, body = null } = this.#request
    try {
      dispatcher.dispatch({ origin, path: this.#path, method, headers, body }, this)
    } catch (error) {
      this.#end(new WireFailure({ kind: 'unreachable', detail: 'the request cannot be sent' }, { cause: error }))
    }
  }

  #follow(head: HttpHead): void {
    try {
      if (this.#hops === maxRedirects) throw new WireFailure({ kind: 'protocol', detail: 'too many redirects' })
      this.#path = redirectPath(this.#request, new URL(this.#line.origin + this.#path), head)
    } catch (error) {
      return this.#end(error)
    }
    this.#hops += 1
    this.#head = undefined
    this.#controller = undefined
    this.#dispatch()
  }

  /** Undici has done with it. */
  #end(error: unknown): void {
    const isRunning = this.#isRunning
    this.#settle()
    this.#leave()
    if (isRunning) this.#reader.failed(error)
  }

  #settle(): void {
    this.#isRunning = false
    this.#head = undefined
  }

  #leave(): void {
    if (!this.#hasPlace) return
    this.#hasPlace = false
    this.#line.leave()
  }
}
