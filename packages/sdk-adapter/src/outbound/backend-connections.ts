import type {
  BackendCallOptions,
  BackendEvent,
  CallOptions,
  ClientChannel,
  Identity,
  JsonObject,
  Logger,
  OutgoingAuth,
  VmcpError,
} from '@vmcp/domain'
import { askableClient } from './backend-requests.js'
import type { Caller, PlainCaller } from './callers.js'
import { Callers } from './callers.js'
import type { ExchangeOptions } from './carrier.js'
import type { Connection } from './connection.js'
import type { Lease } from './connection-pool.js'
import { ConnectionPool } from './connection-pool.js'
import type { Dial, Dialer } from './dialer.js'
import type { EraMemory } from './era-memory.js'
import { capabilitiesToWire } from './to-wire.js'
import { WatchedConnections } from './watched-connections.js'
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
  readonly fail: Fail
}

/** Makes an error of the domain of whatever failed. */
export type Fail = (error: unknown, signal?: AbortSignal) => VmcpError

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
  readonly #watched: WatchedConnections
  readonly #callers: Callers

  constructor(options: BackendConnectionsOptions) {
    this.#options = options
    const { auth, configuredHeaders } = options
    this.#callers = new Callers({ auth, configuredHeaders, open: (dial) => this.#open(dial) })
    this.#pool = new ConnectionPool({
      maxConnections: options.maxSessions,
      idleMs: options.sessionIdleMs,
      now: options.now,
      onReplaced: () => this.#reportAll(),
    })
    this.#watched = new WatchedConnections(this.#pool)
  }

  /** An open connection, if there is one. */
  get any(): Connection | undefined {
    return this.#pool.connections[0]
  }

  /**
   * Runs `use` on the caller's connection. What was refused before it was carried out, because the session is gone or the
   * backend changed its era, runs once more on a new connection; nothing else is ever repeated. Rejects with errors of the
   * domain only.
   */
  run<Result>(identity: Identity | null, options: RunOptions, use: Use<Result>): Promise<Result> {
    try {
      const caller = options.personal === undefined ? this.#callers.plain(options) : undefined
      const lease = caller && this.#pool.take(caller.key)
      // Nothing has to be waited for before the request leaves: the common case, and the one that has to be fast.
      if (caller !== undefined && lease !== undefined) return this.#runNow(lease, { caller, options, use })
    } catch (error) {
      return Promise.reject(this.#options.fail(error))
    }
    return this.#runOnceOpen(identity, options, use)
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
    return this.#watched.watch(this.#callers.shared(identity, options), uri)
  }

  /** Tells the session of this caller's client, if there is one, that the client's folders have changed. */
  rootsChanged(identity: Identity | null, client: ClientChannel, options: CallOptions): void {
    const askable = askableClient(client)
    if (askable?.capabilities.rootsListChanged !== true) return
    const { key } = this.#callers.personal(identity, options, capabilitiesToWire(askable.capabilities))
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

  #runNow<Result>(lease: Lease, { caller, options, use }: PlainRun<Result>): Promise<Result> {
    const { connection } = lease
    const exchange = { call: options, headers: caller.known, parameterHeaders: options.parameterHeaders }
    return start(use, connection, exchange).then(
      (result) => {
        this.#pool.giveBack(lease)
        return this.#succeeded(result, connection, caller)
      },
      (error: unknown) => {
        this.#pool.giveBack(lease)
        return this.#runAgain(error, { caller, connection, options, use })
      },
    )
  }

  async #runOnceOpen<Result>(identity: Identity | null, options: RunOptions, use: Use<Result>): Promise<Result> {
    let caller: Caller | undefined
    let connection: Connection | undefined
    try {
      caller = await this.#callerFor(identity, options)
      const result = await this.#attempt(caller, options, (opened, exchange) => {
        connection = opened
        return use(opened, exchange)
      })
      return connection === undefined ? result : this.#succeeded(result, connection, caller)
    } catch (error) {
      return this.#runAgain(error, { caller, connection, options, use })
    }
  }

  #attempt<Result>(caller: Caller, options: RunOptions, use: Use<Result>): Promise<Result> {
    const { signal, parameterHeaders } = options
    return this.#pool.using(caller.key, { open: caller.open, signal }, async (connection) =>
      use(connection, { call: options, headers: await caller.headers(signal), parameterHeaders }),
    )
  }

  #succeeded<Result>(result: Result, connection: Connection, caller: Caller): Result {
    connection.isProven = true
    if (connection.looksOlder) this.#doubtEra(connection, caller)
    return result
  }

  async #runAgain<Result>(error: unknown, failed: FailedRun<Result>): Promise<Result> {
    const { caller, connection, options, use } = failed
    const { signal } = options
    try {
      if (caller === undefined || connection === undefined || signal?.aborted === true) throw error
      if (!(await this.#isCured(error, connection, { ...caller, signal }))) throw error
      return await this.#attempt(caller, options, async (opened, exchange) => {
        const result = await use(opened, exchange)
        opened.isProven = true
        return result
      })
    } catch (failure) {
      throw this.#options.fail(failure, signal)
    }
  }

  /** True when the failure was one of the connection, the call was not carried out, and another connection is there. */
  async #isCured(error: unknown, used: Connection, caller: WaitingCaller): Promise<boolean> {
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
    const { signal, personal } = options
    const shared = this.#callers.shared(identity, options)
    if (personal === undefined) return shared
    const era = await this.#pool.using(shared.key, { ...shared, signal }, async (connection) => connection.era)
    return era === '2026' ? shared : this.#callers.personal(identity, options, personal)
  }

  async #open(dial: Dial): Promise<Connection> {
    const { dialer, logger } = this.#options
    const { key } = dial
    const opened = await dialer.open(dial)
    logger.debug('backend connected', { era: opened.era, protocolVersion: opened.description.protocolVersion })
    void opened.over.then(() => this.#over(dial, opened))
    if (this.#listeners.size > 0) void opened.watch()
    this.#watched.opened(key, opened)
    return opened
  }

  #over(dial: Dial, connection: Connection): void {
    const { key } = dial
    this.#pool.lose(key, connection)
    this.#watched.lost({ key, open: (signal) => this.#open({ ...dial, signal }) })
  }

  #reportAll(): void {
    for (const list of ['tools', 'resources', 'prompts'] as const) this.report({ type: 'list-changed', list })
  }
}

/** What throws before it has begun has failed like what rejects. */
function start<Result>(use: Use<Result>, connection: Connection, exchange: ExchangeOptions): Promise<Result> {
  try {
    return use(connection, exchange)
  } catch (error) {
    return Promise.reject(error)
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

interface PlainRun<Result> {
  readonly caller: PlainCaller
  readonly options: RunOptions
  readonly use: Use<Result>
}

interface FailedRun<Result> {
  readonly caller: Caller | undefined
  readonly connection: Connection | undefined
  readonly options: RunOptions
  readonly use: Use<Result>
}

interface WaitingCaller extends Caller {
  readonly signal: AbortSignal | undefined
}

/** True for what a server of another era answers; a probe decides whether it is one. */
function isWrongEra(fault: WireFault, { era }: Connection): boolean {
  if (era === '2025') return refusesVersion(fault)
  if (fault.kind === 'protocol') return fault.violation !== undefined
  if (fault.kind === 'http') return [400, 404, 405, 406, 415].includes(fault.status)
  return refusesVersion(fault)
}

/** `UnsupportedProtocolVersion` (2026-07-28). */
function refusesVersion(fault: WireFault): boolean {
  const error = fault.kind === 'rejected' ? fault.error : fault.kind === 'http' ? fault.rpcError : undefined
  return error?.code === -32022
}
