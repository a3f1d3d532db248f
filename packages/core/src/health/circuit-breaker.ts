/** When a circuit opens, and for how long. */
export interface CircuitLimits {
  /** Failures in a row that open it. */
  readonly failureThreshold: number
  /** Milliseconds until one attempt is let through, and until a trial that has not ended makes room for another. */
  readonly timeoutMs: number
}

/** `half-open` while a single attempt tries whether the backend answers again. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** The permission for one attempt. It counts only for the period in which it was given. */
export type Attempt = symbol

/** A circuit breaker. It has no timer: it looks at the time, in milliseconds, that it is given. */
export interface CircuitBreaker {
  readonly state: () => CircuitState
  /** The permission for an attempt, or `undefined` when none may be made. An open circuit whose time is over gives one. */
  readonly admit: (now: number) => Attempt | undefined
  /** The attempt showed that the backend answers. */
  readonly succeed: (attempt: Attempt) => void
  /** The attempt showed that it does not. */
  readonly fail: (attempt: Attempt, now: number) => void
  /** The attempt showed nothing: a trial that ends so makes room for the next. */
  readonly forget: (attempt: Attempt) => void
}

/** Makes a closed circuit. Attempts of an earlier period, that end late, change nothing. */
export function circuitBreaker(limits: CircuitLimits): CircuitBreaker {
  let state: CircuitState = 'closed'
  let failures = 0
  let retryAt = 0
  let period: Attempt = Symbol('closed')

  const enter = (next: CircuitState, until: number): Attempt => {
    state = next
    failures = 0
    retryAt = until
    period = Symbol(next)
    return period
  }

  return {
    state: () => state,
    admit(now) {
      if (state === 'closed') return period
      return now >= retryAt ? enter('half-open', now + limits.timeoutMs) : undefined
    },
    succeed(attempt) {
      if (attempt !== period) return
      if (state === 'half-open') enter('closed', 0)
      else failures = 0
    },
    fail(attempt, now) {
      if (attempt !== period) return
      failures++
      if (state === 'half-open' || failures >= limits.failureThreshold) enter('open', now + limits.timeoutMs)
    },
    forget(attempt) {
      if (attempt === period && state === 'half-open') enter('open', 0)
    },
  }
}
