import type { Backend } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Result from 'effect/Result'
import type * as Scope from 'effect/Scope'

import type { BackendError, Offer } from './offer.js'

/** Backends asked at one time. One that is late does not count. */
const concurrency = 10

/** One backend that is asked for a view. */
export interface Asking {
  readonly backend: Backend
  /** Names what is asked and on whose behalf: one that is late is not asked for the same again meanwhile. */
  readonly key: string
  /** The view that it is asked for. */
  readonly viewKey: string
  readonly ask: Effect.Effect<Offer, BackendError>
}

/** What came of asking a backend. */
export type Asked = Result.Result<Offer, BackendError> | 'late'

/** How long backends are waited for. */
export interface FirstAnswersOptions {
  /** Milliseconds for a backend that has not answered yet; absent means that it is waited for like the others. */
  readonly firstAnswerMs: number | undefined
  /** Where a backend that is late goes on being asked. */
  readonly scope: Scope.Scope
  /** Told when a backend that was late has answered what was asked. It must not throw. */
  readonly joined: (asked: Asking) => void
}

/**
 * Asks backends and waits for them, though not for one that has not answered since the start and takes too long: it is late
 * as soon as another has answered, and `joined` is told when it answers. A program is never late, since it needs its time to
 * start.
 */
export function askWithPatience(
  options: FirstAnswersOptions,
): (askings: readonly Asking[]) => Effect.Effect<readonly Asked[]> {
  const { firstAnswerMs, scope, joined } = options
  const haveAnswered = new Set<string>()
  const late = new Map<string, Running>()

  const isWaitedFor = ({ id, transport }: Backend) => transport === 'stdio' || haveAnswered.has(id)
  const startAsking = ({ key, ask }: Asking, patienceMs: number, own: Running[]) =>
    Effect.gen(function* () {
      const earlier = late.get(key)
      if (earlier !== undefined) return earlier
      const running = yield* Effect.forkIn(Effect.result(ask), scope)
      own.push(running)
      yield* Effect.timeoutOption(Fiber.await(running), patienceMs)
      return running
    })
  const leave = (asking: Asking, running: Running): void => {
    if (late.get(asking.key) === running) return
    late.set(asking.key, running)
    running.addObserver((exit) => {
      if (late.get(asking.key) === running) late.delete(asking.key)
      if (!answered(exit)) return
      haveAnswered.add(asking.backend.id)
      joined(asking)
    })
  }

  return Effect.fnUntraced(function* (askings: readonly Asking[]): Effect.fn.Return<readonly Asked[]> {
    const own: Running[] = []
    const askOne = (asking: Asking): Effect.Effect<Came> => {
      if (firstAnswerMs === undefined || isWaitedFor(asking.backend)) {
        return Effect.map(Effect.result(asking.ask), (result) => ({ result }))
      }
      return Effect.map(startAsking(asking, firstAnswerMs, own), (running) => ({ running }))
    }
    const came = yield* Effect.forEach(askings, askOne, { concurrency }).pipe(
      Effect.tap(untilOneAnswers),
      Effect.onInterrupt(() => Fiber.interruptAll(own)),
    )
    const asked: Asked[] = []
    for (const [index, asking] of askings.entries()) {
      const { result, running } = came[index] ?? {}
      const exit = running?.pollUnsafe()
      const answer = result ?? (exit === undefined ? 'late' : yield* exit)
      if (answer === 'late' && running !== undefined) leave(asking, running)
      if (answer !== 'late' && Result.isSuccess(answer)) haveAnswered.add(asking.backend.id)
      asked.push(answer)
    }
    return asked
  })
}

type Answer = Result.Result<Offer, BackendError>

type Running = Fiber.Fiber<Answer>

/** What a backend answered, or the asking, which may go on. */
type Came =
  { readonly result: Answer; readonly running?: undefined } | { readonly running: Running; readonly result?: undefined }

function answered(exit: Exit.Exit<Answer> | undefined): boolean {
  return exit !== undefined && Exit.isSuccess(exit) && Result.isSuccess(exit.value)
}

/** Ends when one of the backends has answered, or when no asking goes on. */
function untilOneAnswers(came: readonly Came[]): Effect.Effect<void> {
  if (came.some(({ result }) => result !== undefined && Result.isSuccess(result))) return Effect.void
  const running = came.flatMap((one) => one.running ?? [])
  const oneAnswers = Effect.callback<void>((resume) => {
    const stops = running.map((fiber) => fiber.addObserver((exit) => void (answered(exit) && resume(Effect.void))))
    return Effect.sync(() => stops.forEach((stop) => stop()))
  })
  return Effect.raceFirst(oneAnswers, Effect.asVoid(Fiber.awaitAll(running)))
}
