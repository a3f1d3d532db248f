import type { Caller } from './callers.js'
import type { Connection } from './connection.js'
import type { ConnectionPool } from './connection-pool.js'
import { WatchedResources } from './watched-resources.js'

const firstWaitMs = 1_000
const maxWaitMs = 30_000

/** A caller's connection, and how it is opened. */
export type Watcher = Pick<Caller, 'key' | 'open'>

/** The resources that are watched over the connections of one backend, and over those that replace them. */
export class WatchedConnections {
  readonly #pool: ConnectionPool
  readonly #watched = new Map<string, WatchedResources>()

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  /** Watches a resource on the caller's connection until the returned function is called. */
  watch(caller: Watcher, uri: string): () => void {
    const watched = this.#watched.get(caller.key) ?? new WatchedResources()
    this.#watched.set(caller.key, watched)
    if (watched.add(uri)) this.#apply(caller)
    let isWatching = true
    return () => {
      if (!isWatching) return
      isWatching = false
      if (!watched.remove(uri)) return
      if (watched.isEmpty) this.#watched.delete(caller.key)
      void this.#pool.get(caller.key)?.watchResources(watched.uris)
    }
  }

  /** Watches on a connection that has just been opened. */
  opened(key: string, connection: Connection): void {
    const watched = this.#watched.get(key)
    if (watched !== undefined) void connection.watchResources(watched.uris)
  }

  /** Opens a connection in place of one that is over, if something is watched over it. */
  lost(caller: Watcher): void {
    if (this.#watched.has(caller.key)) this.#apply(caller)
  }

  clear(): void {
    this.#watched.clear()
  }

  /** Opens the connection for what is watched over it, and tries again for as long as something is. */
  #apply({ key, open }: Watcher, waitMs = firstWaitMs): void {
    const apply = async (connection: Connection) => {
      await connection.watchResources(this.#watched.get(key)?.uris ?? [])
    }
    this.#pool.using(key, { open }, apply).catch(() => {
      const again = () => {
        if (this.#watched.has(key)) this.#apply({ key, open }, Math.min(waitMs * 2, maxWaitMs))
      }
      setTimeout(again, waitMs).unref()
    })
  }
}
