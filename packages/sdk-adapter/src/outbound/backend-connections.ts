import { createHash } from 'node:crypto'
import type {
  BackendCallOptions,
  BackendEvent,
  CallOptions,
  ClientChannel,
  Identity,
  JsonObject,
  Logger,
  OutgoingAuth,
} from '@vmcp/domain'
import { askableClient } from './backend-requests.js'
import type { ExchangeOptions } from './carrier.js'
import type { Connection } from './connection.js'
import { ConnectionPool } from './connection-pool.js'
import type { Dialer } from './dialer.js'
import type { EraMemory } from './era-memory.js'
import { mergeHeaders } from './outgoing-headers.js'
import { capabilitiesToWire } from './to-wire.js'
import { WatchedResources } from './watched-resources.js'
import type { WireFault } from './wire-failure.js'
import { faultOf } from './wire-failure.js'

/** What the connections of one backend are made with. */
export interface BackendConnectionsOptions {
  readonly dialer: Dialer
  readonly memory: EraMemory
  readonly logger: Logger
  readonly auth: OutgoingAuth | undefined
  readonly configuredHeaders: Readonly<Record<string, string>>
  readonly maxSessions: number
  readonly sessionIdleMs: number
  readonly now: () => number
}

/** What accompanies one use of a connection. */
export interface RunOptions extends BackendCallOptions {
  /** What the caller's client declares, when it can be asked while the call runs. */
  readonly personal?: JsonObject | undefined
}

/** What is done with a connection. */
export type Use<Result> = (connection: Connection, exchange: ExchangeOptions) => Promise<Result>

/**
 * The connections of one backend: which one a caller gets, how a lost session is renewed, how a wrong era is corrected.
 * Callers share a connection only when they have the same credential and the same forwarded headers.
 */
export class BackendConnections {
  readonly #options: BackendConnectionsOptions
  readonly #pool: ConnectionPool
  readonly #listeners = new Set<(event: BackendEvent) => void>()
  readonly #watched = new Map<string, WatchedResources>()
  #plainHeaders: Readonly<Record<string, string>> | undefined

  constructor(options: BackendConnectionsOptions) {
    this.#options = options
    this.#pool = new ConnectionPool({
      maxConnections: options.maxSessions,
      idleMs: options.sessionIdleMs,
      now: options.now,
      onReplaced: () => this.#reportAll(),
    })
  }

  /** An open connection, if there is one. */
  get any(): Connection | undefined {
    return this.#pool.connections[0]
  }

  /**
   * Runs `use` on the caller's connection. What was refused before it was carried out, because the session is gone or the
   * backend changed its era, runs once more on a new connection; nothing else is ever repeated.
   */
  async run<Result>(identity: Identity | null, options: RunOptions, use: Use<Result>): Promise<Result> {
    const caller = await this.#callerFor(identity, options)
    let used: Connection | undefined
    const attempt = () =>
      this.#pool.using(caller.key, caller, async (connection) => {
        used = connection
        const { signal, parameterHeaders } = options
        const result = await use(connection, { signal, headers: await caller.headers(signal), parameterHeaders })
        connection.isProven = true
        return result
      })
    try {
      const result = await attempt()
      if (used?.looksOlder === true) this.#doubtEra(used, caller)
      return result
    } catch (error) {
      if (used === undefined || options.signal?.aborted === true) throw error
      if (!(await this.#isCured(error, used, caller))) throw error
      return attempt()
    }
  }

  /** Reports changes until the returned function is called. */
  subscribe(listener: (event: BackendEvent) => void): () => void {
    const own = (event: BackendEvent) => listener(event)
    this.#listeners.add(own)
    for (const connection of this.#pool.connections) void connection.watch()
    return () => {
      this.#listeners.delete(own)
      if (this.#listeners.size === 0) for (const connection of this.#pool.connections) connection.unwatch()
    }
  }

  /** Watches a resource on the caller's connection, and on those that replace it, until the returned function is called. */
  watchResource(identity: Identity | null, uri: string, options: CallOptions): () => void {
    const caller = this.#caller(identity, options)
    const watched = this.#watched.get(caller.key) ?? new WatchedResources()
    this.#watched.set(caller.key, watched)
    if (watched.add(uri)) this.#applyWatched(caller)
    let isWatching = true
    return () => {
      if (!isWatching) return
      isWatching = false
      if (!watched.remove(uri)) return
      if (watched.isEmpty) this.#watched.delete(caller.key)
      void this.#pool.get(caller.key)?.watchResources(watched.uris)
    }
  }

  /** Tells the session of this caller's client, if there is one, that the client's folders have changed. */
  rootsChanged(identity: Identity | null, client: ClientChannel, options: CallOptions): void {
    const askable = askableClient(client)
    if (askable?.capabilities.rootsListChanged !== true) return
    const { key } = this.#caller(identity, options, capabilitiesToWire(askable.capabilities))
    this.#pool.get(key)?.rootsChanged(askable)
  }

  readonly report = (event: BackendEvent): void => {
    for (const listener of this.#listeners) listener(event)
  }

  /** Ends every connection. Bounded in time, never rejects. */
  async close(): Promise<void> {
    this.#listeners.clear()
    this.#watched.clear()
    await within(this.#pool.close(), closeMs)
    await this.#options.dialer.close()
  }

  /** True when the failure was one of the connection, the call was not carried out, and another connection is there. */
  async #isCured(error: unknown, used: Connection, caller: Caller): Promise<boolean> {
    const fault = faultOf(error)
    if (fault === undefined) return false
    if (fault.kind === 'http' && fault.sessionLost === true) {
      this.#options.logger.info('backend session was lost and is opened again')
      this.#pool.lose(caller.key, used)
      return true
    }
    if (!used.isProven || !isWrongEra(fault, used)) return false
    this.#doubtEra(used, caller)
    const era = await this.#pool.using(caller.key, caller, async (connection) => connection.era).catch(() => used.era)
    return era !== used.era
  }

  /** Has the backend's era asked for again before the next call. */
  #doubtEra(used: Connection, { key }: Caller): void {
    this.#options.logger.warn('backend answered as another protocol era would', { spoken: used.era })
    this.#options.memory.forget(key)
    this.#pool.lose(key, used)
  }

  /** A call whose client can be asked gets a session of its caller's own, where a session must know that beforehand. */
  async #callerFor(identity: Identity | null, options: RunOptions): Promise<Caller> {
    const shared = this.#caller(identity, options)
    if (options.personal === undefined) return shared
    const era = await this.#pool.using(shared.key, shared, async (connection) => connection.era)
    return era === '2026' ? shared : this.#caller(identity, options, options.personal)
  }

  #caller(identity: Identity | null, options: CallOptions, personal?: JsonObject): Caller {
    const { auth, configuredHeaders, dialer, logger } = this.#options
    const forwarded = options.forwardedHeaders ?? {}
    const sharedKey = keyOf(auth?.credentialKey(identity) ?? '', forwarded)
    const key = personal === undefined ? sharedKey : personalKey(sharedKey, identity, personal)
    const headers = async (signal?: AbortSignal) => {
      if (auth === undefined && options.forwardedHeaders === undefined) return this.#configured()
      const credentials = (await auth?.headers(identity, signal === undefined ? {} : { signal })) ?? {}
      return mergeHeaders({ configured: configuredHeaders, forwarded, credentials })
    }
    const open = async (signal: AbortSignal) => {
      const opened = await dialer.open({ key, signal, headers, personal })
      logger.debug('backend connected', { era: opened.era, protocolVersion: opened.description.protocolVersion })
      void opened.over.then(() => this.#over(caller, opened))
      if (this.#listeners.size > 0) void opened.watch()
      const watched = this.#watched.get(key)
      if (watched !== undefined) void opened.watchResources(watched.uris)
      return opened
    }
    const caller: Caller = { key, headers, open, signal: options.signal }
    return caller
  }

  /** The headers of callers who bring none. */
  #configured(): Readonly<Record<string, string>> {
    const { configuredHeaders } = this.#options
    this.#plainHeaders ??= mergeHeaders({ configured: configuredHeaders, forwarded: {}, credentials: {} })
    return this.#plainHeaders
  }

  #over(caller: Caller, connection: Connection): void {
    this.#pool.lose(caller.key, connection)
    if (this.#watched.has(caller.key)) this.#applyWatched(caller)
  }

  /** Opens the connection for what is watched over it, and tries again for as long as something is. */
  #applyWatched({ key, open }: Pick<Caller, 'key' | 'open'>, waitMs = firstWaitMs): void {
    const apply = async (connection: Connection) => {
      await connection.watchResources(this.#watched.get(key)?.uris ?? [])
    }
    this.#pool.using(key, { open }, apply).catch(() => {
      const again = () => {
        if (this.#watched.has(key)) this.#applyWatched({ key, open }, Math.min(waitMs * 2, maxWaitMs))
      }
      setTimeout(again, waitMs).unref()
    })
  }

  #reportAll(): void {
    for (const list of ['tools', 'resources', 'prompts'] as const) this.report({ type: 'list-changed', list })
  }
}

function within(closing: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    void closing.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const closeMs = 5_000
const firstWaitMs = 1_000
const maxWaitMs = 30_000

interface Caller {
  readonly key: string
  readonly signal: AbortSignal | undefined
  headers(signal?: AbortSignal): Promise<Readonly<Record<string, string>>>
  open(signal: AbortSignal): Promise<Connection>
}

/** True for what a server of another era answers; a probe decides whether it is one. */
function isWrongEra(fault: WireFault, { era }: Connection): boolean {
  if (era === '2025') return false
  if (fault.kind === 'protocol') return fault.violation !== undefined
  if (fault.kind === 'http') return [400, 404, 405, 406, 415].includes(fault.status)
  return fault.kind === 'rejected' && fault.error.code === -32022
}

function keyOf(credentialKey: string, forwarded: Readonly<Record<string, string>>): string {
  const names = Object.keys(forwarded).sort()
  if (names.length === 0) return credentialKey
  const digest = createHash('sha256').update(JSON.stringify(names.map((name) => [name, forwarded[name]])))
  return `${credentialKey} ${digest.digest('base64url')}`
}

function personalKey(sharedKey: string, identity: Identity | null, personal: JsonObject): string {
  const who = identity === null ? null : [identity.issuer, identity.subject]
  const digest = createHash('sha256').update(JSON.stringify([sharedKey, who, personal]))
  return `personal ${digest.digest('base64url')}`
}
