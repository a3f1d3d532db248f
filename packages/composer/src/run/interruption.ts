/** Who ended a run before its time: its caller, `Composer.cancel`, or `Composer.close`. */
export type InterruptedBy = 'caller' | 'id' | 'close'

/** The one switch that stops a run. */
export interface Interruption {
  readonly signal: AbortSignal
  /** Who used it first. */
  readonly by: InterruptedBy | undefined
  interrupt(by: InterruptedBy): void
  /** Lets go of the caller's signal. */
  release(): void
}

/** A switch that the caller's signal also uses. */
export function createInterruption(caller: AbortSignal | undefined): Interruption {
  const controller = new AbortController()
  let by: InterruptedBy | undefined
  const onAbort = (): void => interrupt('caller')

  function interrupt(who: InterruptedBy): void {
    by ??= who
    controller.abort()
  }

  if (caller?.aborted === true) onAbort()
  else caller?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    get by() {
      return by
    },
    interrupt,
    release: () => caller?.removeEventListener('abort', onAbort),
  }
}
