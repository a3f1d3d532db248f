import { Cancelled } from '@vmcp/domain'

/** Never resolves: rejects with `Cancelled` once the signal aborts. For backends that hang. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = (): void => reject(new Cancelled())
    if (signal?.aborted === true) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}
