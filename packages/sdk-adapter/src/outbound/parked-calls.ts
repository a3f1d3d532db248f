import { randomBytes } from 'node:crypto'
import type { Identity } from '@vmcp/domain'
import { InvalidRequestState } from '@vmcp/domain'

/** What can be parked: it must be possible to give it up. */
export interface Parkable {
  end(): void
}

/** To whom a parked call belongs: nobody else can take it up. */
export interface Owner {
  readonly identity: Identity | null
  readonly method: string
  /** The tool or prompt, or the URI. */
  readonly subject: string
}

/** The bounds of a parking place. */
export interface ParkedCallsOptions {
  readonly maxCalls: number
  /** Of one identity; the anonymous callers together have the whole. */
  readonly maxCallsPerCaller: number
  readonly ttlMs: number
}

interface Parked<Call> {
  readonly call: Call
  readonly who: string
  readonly owner: string
  readonly timer: NodeJS.Timeout
}

const mark = 'vmcp-held.'

/** True for a `requestState` of ours, from this process or another. */
export function isParkedState(requestState: unknown): requestState is string {
  return typeof requestState === 'string' && requestState.startsWith(mark)
}

/**
 * The calls that stay open between two rounds. They live in this process only: after a restart, on another replica and
 * after their time, taking one up is refused with `InvalidRequestState`.
 */
export class ParkedCalls<Call extends Parkable> {
  readonly #parked = new Map<string, Parked<Call>>()
  readonly #options: ParkedCallsOptions

  constructor(options: ParkedCallsOptions) {
    this.#options = options
  }

  /** True when one more call of this caller may wait. */
  hasRoom(identity: Identity | null): boolean {
    if (this.#parked.size >= this.#options.maxCalls) return false
    if (identity === null) return true
    const who = callerOf(identity)
    const own = [...this.#parked.values()].filter((parked) => parked.who === who)
    return own.length < this.#options.maxCallsPerCaller
  }

  /** Parks a call; its state is unguessable and good for one use. */
  park(call: Call, owner: Owner): string {
    const state = mark + randomBytes(32).toString('base64url')
    const expire = () => {
      this.#parked.delete(state)
      call.end()
    }
    const timer = setTimeout(expire, this.#options.ttlMs).unref()
    this.#parked.set(state, { call, who: callerOf(owner.identity), owner: nameOf(owner), timer })
    return state
  }

  /** Takes a call up. Throws `InvalidRequestState`, which does not say why. */
  take(state: string, owner: Owner): Call {
    const parked = this.#parked.get(state)
    if (parked === undefined || parked.owner !== nameOf(owner)) throw new InvalidRequestState()
    clearTimeout(parked.timer)
    this.#parked.delete(state)
    return parked.call
  }

  /** Gives every parked call up. */
  close(): void {
    for (const { call, timer } of this.#parked.values()) {
      clearTimeout(timer)
      call.end()
    }
    this.#parked.clear()
  }
}

function nameOf({ identity, method, subject }: Owner): string {
  return JSON.stringify([callerOf(identity), method, subject])
}

function callerOf(identity: Identity | null): string {
  return identity === null ? '' : JSON.stringify([identity.issuer, identity.subject])
}
