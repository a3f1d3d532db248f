import type { Logger } from '@vmcp/domain'
import type { SessionRegistry } from '@vmcp/sdk-adapter'
import type { Binding } from './binding.js'
import { bindTo, isBoundTo } from './binding.js'
import { createSessionId } from './session-id.js'

/** How long sessions live and how many there may be. */
export interface SessionLimits {
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly ttlMs: number
  /** Milliseconds after which it ends, used or not. */
  readonly maxAgeMs: number
  /** Sessions at one time; a client over that is refused, and no session is taken from another. */
  readonly max: number
}

/** The sessions of this process. */
export interface Sessions extends SessionRegistry {
  /** How many live. */
  readonly size: number
  /** Ends those whose time is over. Runs by itself at intervals. */
  sweep(): void
  /** Ends all of them. */
  close(): void
}

interface Entry {
  readonly binding: Binding
  readonly openedAt: number
  readonly ended: () => void
  usedAt: number
  holds: number
}

/** Keeps sessions in memory. `now` is the clock, in milliseconds. */
export function createSessions(limits: SessionLimits, logger: Logger, now: () => number = Date.now): Sessions {
  const entries = new Map<string, Entry>()
  const timer = setInterval(sweep, Math.min(Math.max(limits.ttlMs / 2, 10), 60_000))
  timer.unref()

  return {
    get size() {
      return entries.size
    },
    sweep,
    open: async (identity, ended) => {
      const binding = bindTo(identity)
      if (entries.size >= limits.max) sweep()
      if (entries.size >= limits.max) {
        logger.warn('a session was refused: there are too many', { max: limits.max })
        return undefined
      }
      const id = createSessionId()
      entries.set(id, { binding, ended, openedAt: now(), usedAt: now(), holds: 0 })
      return id
    },
    claim: (id, identity) => {
      const entry = entries.get(id)
      if (entry === undefined) return false
      const time = now()
      if (isOver(entry, time)) {
        end(id)
        return false
      }
      if (!isBoundTo(entry.binding, identity)) {
        logger.warn('a session was claimed by a caller who does not own it')
        return false
      }
      entry.usedAt = time
      return true
    },
    hold: (id) => {
      const entry = entries.get(id)
      if (entry === undefined) return () => {}
      let held = true
      entry.holds += 1
      return () => {
        if (!held) return
        held = false
        entry.holds -= 1
        entry.usedAt = now()
      }
    },
    end: async (id) => end(id),
    close: () => {
      clearInterval(timer)
      for (const id of [...entries.keys()]) end(id)
    },
  }

  function sweep(): void {
    const time = now()
    for (const [id, entry] of entries) if (isOver(entry, time)) end(id)
  }

  function isOver({ openedAt, usedAt, holds }: Entry, time: number): boolean {
    if (time - openedAt >= limits.maxAgeMs) return true
    return holds === 0 && time - usedAt >= limits.ttlMs
  }

  function end(id: string): void {
    const entry = entries.get(id)
    if (entry === undefined) return
    entries.delete(id)
    entry.ended()
  }
}
