import { BackendTimeout } from '@vmcp/domain'
import type { ClientChannel } from '@vmcp/domain'
import type * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'

import { monotonicMs } from '../monotonic.js'

/** How long a backend may take for one answer, in milliseconds. */
export interface Limits {
  /** Without a sign of life. */
  readonly silenceMs: number
  /** In all. */
  readonly totalMs: number
}

/**
 * Runs `call` until the backend has been silent for too long, or has taken too long in all; then it is interrupted and
 * fails with `BackendTimeout`. A notification of the backend counts as a sign of life, and while the client is being asked
 * something on the backend's behalf, the backend is not silent: `call` gets the channel that notices both.
 */
export function withDeadline<A, E, R>(
  backendId: string,
  limits: Limits & { readonly client?: ClientChannel | undefined },
  call: (client: ClientChannel | undefined) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | BackendTimeout, R> {
  const { silenceMs, totalMs, client } = limits
  return Effect.clockWith((clock) => {
    const started = monotonicMs(clock)
    const life: Life = { lastSign: started, openQuestions: 0 }
    const silence = Effect.gen(function* () {
      for (;;) {
        const current = monotonicMs(clock)
        const silentSince = life.openQuestions > 0 ? current : life.lastSign
        const due = Math.min(silentSince + silenceMs, started + totalMs)
        if (current >= due) {
          return yield* Effect.fail(new BackendTimeout(backendId, current >= started + totalMs ? totalMs : silenceMs))
        }
        yield* Effect.sleep(due - current)
      }
    })
    return Effect.raceFirst(call(client === undefined ? undefined : listening(client, life, clock)), silence)
  })
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
