import { createInterface } from 'node:readline'

/** The two ends of a terminal. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Asks for lines at a terminal, as `Terminal.ask` says. */
export function lineAsker({ input, output }: TerminalStreams) {
  return async (question: string, options: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> => {
    const { signal } = options
    if (signal?.aborted === true) return undefined
    const lines = createInterface({ input, output, terminal: true })
    const close = () => lines.close()
    signal?.addEventListener('abort', close, { once: true })
    // The terminal is in raw mode while it asks: Ctrl-C comes as a key and is made a signal again. Whoever asked withdraws.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    try {
      return await new Promise<string | undefined>((resolve) => {
        lines.once('close', () => resolve(undefined))
        lines.question(question, resolve)
      })
    } finally {
      signal?.removeEventListener('abort', close)
      close()
    }
  }
}
