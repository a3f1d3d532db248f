import type { VmcpError } from '@vmcp/domain'
import { AuthorizationDenied, BackendRejected, Cancelled, NotFound } from '@vmcp/domain'
import type { Json } from './wire.js'

/** What a wire failure means to the caller of a verb. `subject` is the name it asked for. */
export function failureOf(error: Json, subject: string): VmcpError {
  const kind = /^unknown (tool|prompt)/.exec(error.message)?.[1]
  if (kind === 'tool' || kind === 'prompt') return new NotFound(kind, subject)
  if (error.message.startsWith('Resource not found')) return new NotFound('resource', subject)
  const denied = deniedKind(error.message)
  return denied === undefined ? new BackendRejected('server', error) : new AuthorizationDenied(denied)
}

/** The kind of a denial, read from its fixed text. */
export function deniedKind(message: string): AuthorizationDenied['kind'] | undefined {
  switch (message) {
    case 'call denied by authorization policy':
      return 'call'
    case 'read denied by authorization policy':
      return 'read'
    case 'prompt denied by authorization policy':
      return 'prompt'
    default:
      return undefined
  }
}

/** Runs a verb that its caller may cancel: it then rejects with `Cancelled`, as the contract has it. */
export async function cancellable<Value>(signal: AbortSignal, run: () => Promise<Value>): Promise<Value> {
  if (signal.aborted) throw new Cancelled()
  const cancelled = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Cancelled()), { once: true })
  })
  return Promise.race([run(), cancelled])
}
