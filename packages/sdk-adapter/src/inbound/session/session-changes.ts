import type { Identity, VmcpEvent, VmcpEvents } from '@vmcp/domain'
import { InvalidInput } from '@vmcp/domain'
import { changeNotification } from '../wire/change-notification.js'
import { notificationText } from '../wire/json-rpc.js'
import type { ResumableStream } from './resumable-streams.js'

/** Resources one session may watch. */
const mostResources = 1000

/** Brings changes to one session's client: list changes, and updates of the resources it subscribed to. */
export class SessionChanges {
  readonly #events: VmcpEvents
  readonly #identity: Identity | null
  readonly #forwardedHeaders: Readonly<Record<string, string>> | undefined
  readonly #resources = new Set<string>()
  #stream: ResumableStream | undefined
  #unsubscribe: (() => void) | undefined

  constructor(
    events: VmcpEvents,
    identity: Identity | null,
    forwardedHeaders: Readonly<Record<string, string>> | undefined,
  ) {
    this.#events = events
    this.#identity = identity
    this.#forwardedHeaders = forwardedHeaders
  }

  /** Sends changes to `stream` from now on, in place of the one before. */
  deliverTo(stream: ResumableStream): void {
    this.#stream = stream
    this.#resubscribe()
  }

  /** Watches a resource. The caller has checked that it may be read. */
  watch(uri: string): void {
    if (this.#resources.size >= mostResources) {
      throw new InvalidInput(`a session may subscribe to at most ${mostResources} resources`, { field: 'uri' })
    }
    this.#resources.add(uri)
    this.#resubscribe()
  }

  /** Stops watching a resource. */
  unwatch(uri: string): void {
    if (this.#resources.delete(uri)) this.#resubscribe()
  }

  close(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#stream = undefined
  }

  /** The new subscription starts before the old one ends, so that no change falls between. */
  #resubscribe(): void {
    if (this.#stream === undefined) return
    const before = this.#unsubscribe
    this.#unsubscribe = this.#events.subscribe(this.#identity, (event) => this.#deliver(event), {
      resources: [...this.#resources],
      ...(this.#forwardedHeaders !== undefined && { forwardedHeaders: this.#forwardedHeaders }),
    })
    before?.()
  }

  #deliver(event: VmcpEvent): void {
    if (event.type === 'resource-updated' && !this.#resources.has(event.uri)) return
    const { method, params } = changeNotification(event)
    this.#stream?.send(notificationText(method, params))
  }
}
