import { Cancelled, InternalError, isVmcpError } from '@vmcp/domain'
import type { Logger, VmcpError } from '@vmcp/domain'
import * as Cause from 'effect/Cause'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import type * as Exit from 'effect/Exit'

/**
 * The way in from a promise and the way out to one: runs an effect as one fibre until it ends or the signal aborts.
 * The promise rejects with the effect's own error, with `Cancelled` when it was interrupted, and with `InternalError`
 * for a defect, which is logged.
 */
export function runPromise<Services>(
  context: Context.Context<Services>,
  options: RunOptions,
): <A>(effect: Effect.Effect<A, VmcpError, Services>, signal?: AbortSignal) => Promise<A> {
  const fork = Effect.runForkWith(context)
  const { running, logger } = options
  return <A>(effect: Effect.Effect<A, VmcpError, Services>, signal?: AbortSignal) =>
    new Promise<A>((resolve, reject) => {
      if (signal?.aborted === true) return reject(cancelled(signal))
      const fiber = fork(effect, signal === undefined ? undefined : { signal })
      running?.add(fiber)
      fiber.addObserver((exit: Exit.Exit<A, VmcpError>) => {
        running?.delete(fiber)
        if (exit._tag === 'Success') resolve(exit.value)
        else reject(errorOf(exit.cause, logger) ?? cancelled(signal))
      })
    })
}

/** What `runPromise` reports to. */
export interface RunOptions {
  readonly logger: Logger
  /** Holds the fibre while it runs. */
  readonly running?: Set<RunningFiber>
}

/** A fibre of a verb. */
export type RunningFiber = ReturnType<ReturnType<typeof Effect.runForkWith<never>>>

function cancelled(signal: AbortSignal | undefined): Cancelled {
  return signal?.aborted === true ? new Cancelled(undefined, { cause: signal.reason }) : new Cancelled()
}

/** The error of a verb that failed; nothing for one that was only interrupted. */
function errorOf(cause: Cause.Cause<VmcpError>, logger: Logger): Error | undefined {
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure !== undefined) return failure.error
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (defect === undefined) return undefined
  if (isVmcpError(defect)) return defect
  const error = new InternalError({ cause: defect })
  logger.error('a verb failed for a reason that is a defect of the gateway', {
    defect: defect instanceof Error ? (defect.stack ?? defect.message) : String(defect),
  })
  return error
}
