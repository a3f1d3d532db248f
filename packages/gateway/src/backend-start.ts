import type { Backend, BackendDescription } from '@vmcp/domain'

/** What a backend answered when the gateway first spoke to it. */
export type BackendStart =
  | {
      /** The backend, by id. */
      readonly id: string
      readonly outcome: 'connected'
      /** What it says of itself. */
      readonly description: BackendDescription
    }
  | {
      /** The backend, by id. */
      readonly id: string
      readonly outcome: 'failed'
      /** What `describe` rejected with. */
      readonly error: unknown
    }
  | {
      /** The backend, by id. */
      readonly id: string
      /** It has not answered yet; what comes of it is told later. */
      readonly outcome: 'waiting'
    }

/**
 * Speaks to a backend for the first time and tells how it went. When it takes longer than `patienceMs`, that is told, and
 * the promise resolves; it is waited for all the same, since a program that is installed at its first start takes long.
 */
export async function startBackend(
  backend: Backend,
  { patienceMs, onStart }: { readonly patienceMs: number; readonly onStart: (start: BackendStart) => void },
): Promise<void> {
  const starting = describeStart(backend)
  const start = await within(patienceMs, starting)
  onStart(start ?? { id: backend.id, outcome: 'waiting' })
  if (start === undefined) void starting.then(onStart)
}

async function describeStart({ id, client }: Backend): Promise<BackendStart> {
  try {
    return { id, outcome: 'connected', description: await client.describe(null) }
  } catch (error) {
    return { id, outcome: 'failed', error }
  }
}

/** What a promise resolves with, or `undefined` when it takes longer. */
async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
