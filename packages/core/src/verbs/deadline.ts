import { BackendTimeout } from '@vmcp/domain'
import type { ClientChannel } from '@vmcp/domain'
import type * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'

import { monotonicMs } from '../monotonic.js'
import { keeperOf } from './deadline-keeper.js'

/** How long a backend may take for one answer, in milliseconds. */
export interface Limits {
  /** Without a sign of life. */
  readonly silenceMs: number
  /** In all. */
  readonly totalMs: number
}

/**
 * Runs `call` until the backend has been silent for too long, or has taken too long in all; then its signal aborts and
 * the effect fails with `BackendTimeout`. A notification of the backend counts as a sign of life, and while the client is
 * being asked something on the backend's behalf, the backend is not silent: `call` gets the channel that notices both.
 */
export function withDeadline<Answer, Failure>(
  backendId: string,
  limits: Limits & { readonly client?: ClientChannel | undefined },
  { call, failed }: Deadlined<Answer, Failure>,
): Effect.Effect<Answer, Failure | BackendTimeout> {
  const { silenceMs, totalMs, client } = limits
  return Effect.clockWith((clock) =>
    Effect.callback((resume) => {
      const started = monotonicMs(clock)
      const life: Life = { lastSign: started, openQuestions: 0 }
      const calling = new AbortController()
      const release = keeperOf(clock).keep({
        due: (now) => Math.min((life.openQuestions > 0 ? now : life.lastSign) + silenceMs, started + totalMs),
        expire: (now) => {
          resume(Effect.fail(new BackendTimeout(backendId, now >= started + totalMs ? totalMs : silenceMs)))
          calling.abort()
        },
      })
      call(client === undefined ? undefined : listening(client, life, clock), calling.signal).then(
        (answer) => {
          release()
          resume(Effect.succeed(answer))
        },
        (error: unknown) => {
          release()
          resume(Effect.fail(failed(error)))
        },
      )
      return Effect.sync(() => {
        release()
        calling.abort()
      })
    }),
  )
}

/** What runs within a deadline. */
export interface Deadlined<Answer, Failure> {
  /** Calls the backend. It rejects rather than throw. */
  readonly call: (client: ClientChannel | undefined, signal: AbortSignal) => Promise<Answer>
  /** The failure that a rejection stands for. */
  readonly failed: (error: unknown) => Failure
}

interface Life {
  lastSign: number
  openQuestions: number
}

function listening(client: ClientChannel, life: Life, clock: Clock.Clock): ClientChannel {
  const { elicitation, forward } = client
  const sign = (): void => {
    life.lastSign = monotonicMs(clock)
  }
  const asking = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    life.openQuestions += 1
    try {
      return await ask()
    } finally {
      life.openQuestions -= 1
      sign()
    }
  }
  return {
    capabilities: client.capabilities,
    answers: client.answers,
    wantsProgress: client.wantsProgress,
    notify: (notification) => {
      sign()
      client.notify(notification)
    },
    ...(elicitation !== undefined && {
      elicitation: {
        requestElicitation: (request, options) => asking(() => elicitation.requestElicitation(request, options)),
      },
    }),
    ...(forward !== undefined && {
      forward: (request, options) => asking(() => forward.call(client, request, options)),
    }),
  }
}
