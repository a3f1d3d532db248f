import { Cancelled, InternalError, isCancelled, isVmcpError, offCancel, onCancel } from '@vmcp/domain'
import type { CallOptions, CancelListener, Logger, VmcpError } from '@vmcp/domain'
import * as Cause from 'effect/Cause'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import type * as Exit from 'effect/Exit'
import type * as Fiber from 'effect/Fiber'

import type { RunningVerbs, Stoppable } from './running-verbs.js'
import { isDecidedCall } from './verbs/backend-call.js'
import type { CallObserver, DecidedCall } from './verbs/backend-call.js'

/** A verb's fibre ends with its result, or with the call of a backend whose result is the verb's. */
export type Verb<Result, Services> = Effect.Effect<Result | DecidedCall<Result>, VmcpError, Services>

/**
 * The way in from a promise and the way out to one: runs a verb as one fibre, makes the call it decided on, and ends when
 * that ends or its caller cancels it. The promise rejects with the verb's own error, with `Cancelled` when it was stopped, and
 * with `InternalError` for a defect, which is logged.
 */
export function runPromise<Services>(
  context: Context.Context<Services>,
  { logger, running }: RunOptions,
): <Result>(verb: Verb<Result, Services>, options?: CallOptions) => Promise<Result> {
  const fork = Effect.runForkWith(context)
  return <Result>(verb: Verb<Result, Services>, options?: CallOptions) =>
    new Promise<Result>((resolve, reject) => {
      if (isCancelled(options)) return reject(cancelled(options))
      new VerbRun<Result>({ resolve, reject, options, logger, running }).start(fork(verb))
    })
}

/** What `runPromise` reports to. */
export interface RunOptions {
  readonly logger: Logger
  /** Holds what runs. */
  readonly running?: RunningVerbs | undefined
}

interface VerbRunParts<Result> extends RunOptions {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  readonly options: CallOptions | undefined
}

type VerbExit<Result> = Exit.Exit<Result | DecidedCall<Result>, VmcpError>
type VerbFiber<Result> = Fiber.Fiber<Result | DecidedCall<Result>, VmcpError>

/** One verb that runs: its fibre first, then the call it decided on. Mostly the fibre has ended before anybody could wait. */
class VerbRun<Result> implements Stoppable, CallObserver<Result>, CancelListener {
  place = -1
  readonly #parts: VerbRunParts<Result>
  #fiber: VerbFiber<Result> | undefined
  #call: DecidedCall<Result> | undefined
  #isStopped = false

  constructor(parts: VerbRunParts<Result>) {
    this.#parts = parts
  }

  start(fiber: VerbFiber<Result>): void {
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return this.#decided(exit)
    this.#fiber = fiber
    this.#enter()
    fiber.addObserver((late) => this.#decided(late))
  }

  stop(): void {
    this.#isStopped = true
    if (this.#call === undefined) return this.#fiber?.interruptUnsafe()
    this.#call.cancel()
    this.failed(cancelled(this.#parts.options))
  }

  /** The caller has cancelled it. */
  handleEvent(): void {
    this.stop()
  }

  succeeded(result: Result): void {
    this.#leave()
    this.#parts.resolve(result)
  }

  failed(error: unknown): void {
    this.#leave()
    this.#parts.reject(isVmcpError(error) ? error : asInternalError(error, this.#parts.logger))
  }

  #decided(exit: VerbExit<Result>): void {
    const { resolve, reject, options, logger } = this.#parts
    const call = exit._tag === 'Success' && isDecidedCall(exit.value) ? exit.value : undefined
    if (call !== undefined && !this.#isStopped) return this.#make(call)
    if (this.#fiber !== undefined) this.#leave()
    if (exit._tag === 'Failure') reject(errorOf(exit.cause, logger) ?? cancelled(options))
    else if (isDecidedCall(exit.value)) reject(cancelled(options))
    else resolve(exit.value)
  }

  #make(call: DecidedCall<Result>): void {
    this.#call = call
    if (this.#fiber === undefined) this.#enter()
    call.start(this)
  }

  #enter(): void {
    this.#parts.running?.enter(this)
    onCancel(this.#parts.options, this)
  }

  #leave(): void {
    this.#parts.running?.leave(this)
    offCancel(this.#parts.options, this)
  }
}

function cancelled(options: CallOptions | undefined): Cancelled {
  return isCancelled(options) ? new Cancelled(undefined, { cause: options?.signal?.reason }) : new Cancelled()
}

/** The error of a verb that failed; nothing for one that was only interrupted. */
function errorOf(cause: Cause.Cause<VmcpError>, logger: Logger): Error | undefined {
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure !== undefined) return failure.error
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (defect === undefined) return undefined
  return isVmcpError(defect) ? defect : asInternalError(defect, logger)
}

function asInternalError(defect: unknown, logger: Logger): InternalError {
  logger.error('a verb failed for a reason that is a defect of the gateway', {
    defect: defect instanceof Error ? (defect.stack ?? defect.message) : String(defect),
  })
  return new InternalError({ cause: defect })
}
