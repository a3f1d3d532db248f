import type { BackendCallOptions } from './backend/backend-client.js'
import type { CallOptions } from './call-options.js'

/** Hears once that something is cancelled, and must not throw. An `AbortSignal` takes it as a listener too. */
export interface CancelListener {
  /** Called with no or with any argument. */
  handleEvent(): void
}

/**
 * Something that may be cancelled, once. Its `AbortSignal` is made when somebody asks for it: nearly no call is cancelled,
 * and in Node a signal with a listener costs several microseconds and outlives the collections of young objects.
 */
export class Cancellation {
  #controller: AbortController | undefined
  #listeners: readonly CancelListener[] = nobody
  #isCancelled = false
  #reason: unknown

  /** The signal. It has aborted when this is cancelled already. */
  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal
    this.#controller = new AbortController()
    if (this.#isCancelled) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** True once `cancel` was called. */
  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Cancels it. The reason is that of the signal; without one it is an `AbortError`. Later calls do nothing. */
  cancel(reason?: unknown): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    this.#reason = reason
    this.#controller?.abort(reason)
    for (const listener of this.#listeners) if (this.#listeners.includes(listener)) listener.handleEvent()
    this.#listeners = nobody
  }

  /** Tells `listener` when it is cancelled; never for one that is cancelled already. */
  listen(listener: CancelListener): void {
    if (!this.#isCancelled) this.#listeners = [...this.#listeners, listener]
  }

  /** Tells `listener` no more. */
  unlisten(listener: CancelListener): void {
    this.#listeners = this.#listeners.length === 1 && this.#listeners[0] === listener ? nobody : this.#without(listener)
  }

  #without(listener: CancelListener): readonly CancelListener[] {
    return this.#listeners.filter((other) => other !== listener)
  }
}

const nobody: readonly CancelListener[] = Object.freeze([])

/** The cancellation behind options that were made with one. */
let cancellationOf: (options: Cancellable) => Cancellation | undefined

/**
 * The options of a call that can be cancelled, with a `signal` that is made when it is read; a copy by spread reads it.
 * Who only wants to hear of the cancellation uses `onCancel`, which works with any options and needs no signal of these.
 * Change them by a copy: what inherits from them, or a `Proxy` of them, cannot read `signal`.
 */
export class CancellableOptions implements BackendCallOptions {
  /** As in `CallOptions`. */
  declare readonly signal: AbortSignal
  /** As in `CallOptions`. */
  declare readonly client?: NonNullable<CallOptions['client']>
  /** As in `CallOptions`. */
  declare readonly forwardedHeaders?: NonNullable<CallOptions['forwardedHeaders']>
  /** As in `BackendCallOptions`. */
  declare readonly parameterHeaders?: NonNullable<BackendCallOptions['parameterHeaders']>
  readonly #cancellation: Cancellation

  constructor(cancellation: Cancellation, { client, forwardedHeaders, parameterHeaders }: UncancellableOptions) {
    this.#cancellation = cancellation
    Object.defineProperty(this, 'signal', CancellableOptions.#signal)
    if (client !== undefined) this.client = client
    if (forwardedHeaders !== undefined) this.forwardedHeaders = forwardedHeaders
    if (parameterHeaders !== undefined) this.parameterHeaders = parameterHeaders
  }

  static {
    cancellationOf = (options) => (#cancellation in options ? options.#cancellation : undefined)
  }

  /** One for all, and enumerable, so that a copy by spread has the signal. */
  static readonly #signal: PropertyDescriptor & ThisType<CancellableOptions> = {
    enumerable: true,
    get() {
      return this.#cancellation.signal
    },
  }
}

/** Options without a signal. */
export interface UncancellableOptions {
  /** As in `CallOptions`. */
  readonly client?: CallOptions['client'] | undefined
  /** As in `CallOptions`. */
  readonly forwardedHeaders?: CallOptions['forwardedHeaders'] | undefined
  /** As in `BackendCallOptions`. */
  readonly parameterHeaders?: BackendCallOptions['parameterHeaders'] | undefined
}

/** What a signal may cancel: the options of any call. */
export interface Cancellable {
  /** Aborts when it is cancelled; absent when it cannot be. */
  readonly signal?: AbortSignal | undefined
}

/** Tells `listener` when the call with these options is cancelled; never when it is already. Undone by `offCancel`. */
export function onCancel(options: Cancellable | undefined, listener: CancelListener): void {
  if (options === undefined) return
  const cancellation = cancellationOf(options)
  if (cancellation === undefined) options.signal?.addEventListener('abort', listener)
  else cancellation.listen(listener)
}

/** Undoes `onCancel`, with the same options and listener. */
export function offCancel(options: Cancellable | undefined, listener: CancelListener): void {
  if (options === undefined) return
  const cancellation = cancellationOf(options)
  if (cancellation === undefined) options.signal?.removeEventListener('abort', listener)
  else cancellation.unlisten(listener)
}

/** True when the call with these options is cancelled. */
export function isCancelled(options: Cancellable | undefined): boolean {
  if (options === undefined) return false
  return cancellationOf(options)?.isCancelled ?? options.signal?.aborted === true
}
