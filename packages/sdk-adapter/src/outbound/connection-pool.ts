import type { Connection } from './connection.js'
import { WireFailure } from './wire-failure.js'

/** How a pool opens and bounds its connections. */
export interface ConnectionPoolOptions {
  readonly maxConnections: number
  readonly idleMs: number
  readonly now: () => number
  /** Runs when a connection has been opened in place of one that was lost. */
  readonly onReplaced: () => void
}

interface Entry {
  readonly key: string
  readonly opening: Promise<Connection>
  readonly abandon: AbortController
  connection: Connection | undefined
  waiting: number
  active: number
  usedAt: number
}

/** An open connection that is in use until it is given back. */
export type Lease = Entry & { readonly connection: Connection }

/** Opens a connection; the signal aborts when nobody waits for it any more. */
export type OpenConnection = (signal: AbortSignal) => Promise<Connection>

/** The connections to one backend, by credential. Each is opened once, however many ask for it. */
export class ConnectionPool {
  readonly #entries = new Map<string, Entry>()
  readonly #lost = new Set<string>()
  readonly #closing = new Set<Promise<void>>()
  readonly #options: ConnectionPoolOptions
  #isClosed = false

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /** The open connections. */
  get connections(): readonly Connection[] {
    return [...this.#entries.values()].flatMap(({ connection }) => (connection === undefined ? [] : [connection]))
  }

  /** Gives `use` the connection of that key, opened if need be. It counts as busy until `use` ends. */
  async using<Result>(
    key: string,
    { open, signal }: { readonly open: OpenConnection; readonly signal?: AbortSignal | undefined },
    use: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw new WireFailure({ kind: 'closed', detail: 'the gateway has closed it' })
    const entry = this.#entries.get(key) ?? this.#enter(key, open)
    entry.active += 1
    try {
      return await use(await this.#opened(entry, signal))
    } finally {
      this.giveBack(entry)
    }
  }

  /** Takes the connection of that key without waiting, if it is open. It counts as busy until it is given back, once. */
  take(key: string): Lease | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || !isOpen(entry)) return undefined
    entry.active += 1
    return entry
  }

  /** Ends one use. */
  giveBack(entry: Entry): void {
    entry.active -= 1
    entry.usedAt = this.#options.now()
    if (entry.connection?.isSpent === true) this.#discard(entry)
  }

  /** The open connection of that key, if there is one. */
  get(key: string): Connection | undefined {
    return this.#entries.get(key)?.connection
  }

  /** Forgets a connection that is lost; the next use opens another. Later reports of the same loss do nothing. */
  lose(key: string, connection: Connection): void {
    const entry = this.#entries.get(key)
    if (entry?.connection !== connection) return
    this.#entries.delete(key)
    this.#lost.add(key)
    connection.retire()
  }

  /** Closes every connection. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    for (const { abandon } of entries) abandon.abort()
    await Promise.allSettled(entries.map(async ({ opening }) => (await opening).close()))
    await Promise.allSettled([...this.#closing])
  }

  /** Takes a connection out of use; it is closed when its last call has ended. */
  #discard(entry: Entry): void {
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
    if (entry.active === 0) this.#close(entry)
  }

  #close({ connection }: Entry): void {
    if (connection === undefined) return
    const closing = connection.close()
    this.#closing.add(closing)
    void closing.finally(() => this.#closing.delete(closing))
  }

  #enter(key: string, open: OpenConnection): Entry {
    this.#evict()
    const abandon = new AbortController()
    const entry: Entry = {
      key,
      opening: open(abandon.signal),
      abandon,
      connection: undefined,
      waiting: 0,
      active: 0,
      usedAt: this.#options.now(),
    }
    this.#entries.set(key, entry)
    entry.opening.then(
      (connection) => {
        entry.connection = connection
        if (this.#lost.delete(key)) this.#options.onReplaced()
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    )
    return entry
  }

  /** Waits for an opening that others may wait for too; when the last one gives up, the opening stops. */
  #opened(entry: Entry, signal: AbortSignal | undefined): Promise<Connection> {
    if (entry.connection !== undefined) return Promise.resolve(entry.connection)
    return new Promise((resolve, reject) => {
      entry.waiting += 1
      const leave = () => {
        entry.waiting -= 1
        signal?.removeEventListener('abort', onAbort)
      }
      const onAbort = () => {
        leave()
        reject(new WireFailure({ kind: 'cancelled' }))
        if (entry.waiting === 0) entry.abandon.abort()
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted === true) return onAbort()
      entry.opening.then(
        (connection) => {
          leave()
          resolve(connection)
        },
        (error: unknown) => {
          leave()
          reject(error)
        },
      )
    })
  }

  /** Closes what has been idle for too long, and the idlest when there are too many. */
  #evict(): void {
    const { now, idleMs, maxConnections } = this.#options
    const idle = [...this.#entries]
      .filter(([, { active, connection }]) => active === 0 && connection?.isWatched === false)
      .sort(([, one], [, other]) => one.usedAt - other.usedAt)
    const surplus = this.#entries.size + 1 - maxConnections
    for (const [index, [key, entry]] of idle.entries()) {
      if (index >= surplus && now() - entry.usedAt < idleMs) continue
      this.#entries.delete(key)
      this.#close(entry)
    }
  }
}

function isOpen(entry: Entry): entry is Lease {
  return entry.connection !== undefined
}
