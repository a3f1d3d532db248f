import type { Client } from '@modelcontextprotocol/client'
import type { BackendDescription, BackendEvent, JsonObject, Logger } from '@vmcp/domain'
import { isCancelled, isJsonObject } from '@vmcp/domain'
import type { Carrier, ExchangeOptions } from './carrier.js'
import type { AskableClient } from './backend-requests.js'
import { forwardRequest } from './backend-requests.js'
import { completeMethod, ElicitationCompletions } from './elicitation-completions.js'
import { describeBackend, eventOf } from './from-wire.js'
import type { Era } from './era.js'
import type { RpcAnswer, RpcRequest } from './json-rpc.js'
import type { ListenFilter } from './listen-stream.js'
import { ListenStream } from './listen-stream.js'
import { RootsNews } from './roots-news.js'
import { RefusedRequest } from './refused-request.js'
import type { ConnectionRequest } from './request-maker.js'
import { RequestMaker } from './request-maker.js'
import { WireFailure } from './wire-failure.js'

/** What a connection is made of. */
export interface ConnectionParts {
  readonly carrier: Carrier
  readonly client: Client
  readonly era: Era
  readonly description: BackendDescription
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly logger: Logger
  readonly report: (event: BackendEvent) => void
  /**
   * True when the connection belongs to one caller: what the backend sends apart from any call then belongs to the call
   * that runs, if it is the only one and none was given up before.
   */
  readonly isPersonal: boolean
}

/** One spoken-for channel to a backend: a session (2025), the stateless requests of one credential (2026), or a process. */
export class Connection {
  readonly era: Era
  readonly carrier: Carrier
  readonly #client: Client
  readonly #parts: ConnectionParts
  #description: BackendDescription
  /** When the description was made, in milliseconds since 1970. */
  describedAt = Date.now()
  /** True once a request has been answered over it. */
  isProven = false
  /** True once a result without `resultType` followed one with it: an older server may have taken the place of this one. */
  looksOlder = false
  #hasSeenResultType = false
  readonly completions = new ElicitationCompletions()
  /** Resolves when the connection is over: `lost` when the other side ended it, `ended` when we did. */
  readonly over: Promise<'lost' | 'ended'>
  readonly #requests: RequestMaker
  #watching: AbortController | undefined
  #listening: ListenStream | undefined
  #watched: ReadonlySet<string> = new Set()
  #isEnding = false
  /** The calls that can be asked. An array, since a set that changes with every call keeps dead calls alive for long. */
  readonly #calls: ExchangeOptions[] = []
  #hasGivenUp = false
  readonly #rootsNews = new RootsNews((requestSignal) =>
    this.carrier.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }, { requestSignal }),
  )

  constructor(parts: ConnectionParts) {
    this.era = parts.era
    this.carrier = parts.carrier
    this.#client = parts.client
    this.#parts = parts
    this.#requests = new RequestMaker(parts.era, parts.clientInfo)
    this.#description = parts.description
    this.over = new Promise((resolve) => {
      this.#client.onclose = () => resolve(this.#isEnding ? 'ended' : 'lost')
    })
    this.#client.fallbackNotificationHandler = async ({ method, params }) => {
      const event = eventOf(method, params)
      if (event !== undefined) return parts.report(event)
      if (method === completeMethod) return this.completions.complete(isJsonObject(params) ? params : {})
      this.#soleCall()?.onNotification?.({ method, params: isJsonObject(params) ? params : {} })
    }
    this.#client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
      const call = this.carrier.ownerOf?.(mcpReq.id) ?? this.#soleCall()
      const rooted = call === undefined && method === 'roots/list' ? this.#rootsNews.client : undefined
      if (rooted !== undefined) return { ...(await forwardRequest(rooted, { method }, mcpReq.signal)) }
      if (call?.onRequest === undefined) throw new RefusedRequest()
      const request = isJsonObject(params) ? { method, params } : { method }
      return { ...(await call.onRequest(request, mcpReq.signal)) }
    }
  }

  get description(): BackendDescription {
    return this.#description
  }

  /** Sends one request and resolves with its raw result. Rejects with a `WireFailure`. */
  request(request: ConnectionRequest, options: ExchangeOptions = {}): Promise<JsonObject> {
    const message = this.#requests.make(request)
    const { method } = message
    if (options.onRequest !== undefined) return this.#requestWithQuestions(message, options)
    return this.carrier.exchange(message, options).then((answer) => this.#result(method, answer))
  }

  /** Tells the backend that the folders of the one client it serves have changed. It may ask that client for them then. */
  rootsChanged(client: AskableClient): void {
    if (this.era === '2025') this.#rootsNews.tell(client)
  }

  /** Asks whether the backend answers, in the way of its era. */
  async ping(signal?: AbortSignal): Promise<void> {
    if (this.era === '2026') return this.refresh({ call: { signal } })
    await this.request({ method: 'ping', params: {} }, { call: { signal } })
  }

  /** Asks a stateless backend again what it offers. */
  async refresh(options: ExchangeOptions): Promise<void> {
    this.#description = describeBackend(await this.request({ method: 'server/discover', params: {} }, options))
    this.describedAt = Date.now()
  }

  /** Reports changes from now on. Resolves when the backend is listened to, or when it is clear that it cannot be. */
  async watch(): Promise<void> {
    if (this.#watching !== undefined) return
    const watching = new AbortController()
    this.#watching = watching
    if (this.era === '2025') return this.carrier.watch?.(watching.signal)
    this.#listening = new ListenStream({
      client: this.#client,
      signal: watching.signal,
      filter: () => this.#filter(),
      failed: () => this.#parts.logger.debug('backend change notifications failed'),
    })
  }

  /** Has the backend report updates of these resources and of no others. Never rejects. */
  async watchResources(uris: readonly string[]): Promise<void> {
    if (this.#description.capabilities.resources?.subscribe !== true) return
    const before = this.#watched
    this.#watched = new Set(uris)
    if (this.era === '2026') {
      this.#listening?.refresh()
      return this.watch()
    }
    await this.watch()
    const added = uris.filter((uri) => !before.has(uri)).map((uri) => this.#subscribe('resources/subscribe', uri))
    const gone = [...before].filter((uri) => !this.#watched.has(uri))
    await Promise.all([...added, ...gone.map((uri) => this.#subscribe('resources/unsubscribe', uri))])
  }

  /** True while somebody wants to hear of a resource over it. */
  get isWatched(): boolean {
    return this.#watched.size > 0
  }

  /** Ends that, unless a caller's own questions may come that way. */
  unwatch(): void {
    if (!this.#parts.isPersonal && !this.isWatched) this.#stopWatching()
  }

  /** True when a late question of a call that was given up could be taken for one of another call. */
  get isSpent(): boolean {
    return this.#parts.isPersonal && this.#hasGivenUp
  }

  /** Leaves the connection to the calls that still use it. */
  retire(): void {
    this.#stopWatching()
  }

  /** Ends the connection. Bounded in time, never rejects. */
  async close(): Promise<void> {
    this.#isEnding = true
    this.#stopWatching()
    await this.carrier.end()
    await this.#client.close().catch(() => {})
  }

  async #requestWithQuestions(message: RpcRequest, options: ExchangeOptions): Promise<JsonObject> {
    this.#calls.push(options)
    try {
      return this.#result(message.method, await this.carrier.exchange(message, options))
    } finally {
      this.#calls.splice(this.#calls.indexOf(options), 1)
      if (isCancelled(options.call)) this.#hasGivenUp = true
    }
  }

  #stopWatching(): void {
    this.#watching?.abort()
    this.#watching = undefined
  }

  #soleCall(): ExchangeOptions | undefined {
    return this.#parts.isPersonal && !this.#hasGivenUp && this.#calls.length === 1 ? this.#calls[0] : undefined
  }

  async #subscribe(method: string, uri: string): Promise<void> {
    await this.request({ method, params: { uri } }).catch(() => {
      this.#parts.logger.debug('backend refused a resource subscription', { method })
    })
  }

  #filter(): ListenFilter {
    const { tools, resources, prompts } = this.#description.capabilities
    return {
      ...(tools?.listChanged === true && { toolsListChanged: true }),
      ...(resources?.listChanged === true && { resourcesListChanged: true }),
      ...(prompts?.listChanged === true && { promptsListChanged: true }),
      ...(this.isWatched && { resourceSubscriptions: [...this.#watched] }),
    }
  }

  /** A result without `resultType` is a complete one (2026-07-28); only what answers `server/discover` must have it. */
  #result(method: string, answer: RpcAnswer): JsonObject {
    if ('error' in answer) throw new WireFailure({ kind: 'rejected', error: answer.error })
    const { result } = answer
    if (!isJsonObject(result)) throw new WireFailure({ kind: 'protocol', detail: 'the result is not an object' })
    if (this.era === '2025') return result
    if (typeof result['resultType'] === 'string') this.#hasSeenResultType = true
    else if (method === 'server/discover') {
      const detail = 'the result lacks its resultType'
      throw new WireFailure({ kind: 'protocol', detail, violation: 'no-result-type' })
    } else if (this.#hasSeenResultType) this.looksOlder = true
    return result
  }
}
