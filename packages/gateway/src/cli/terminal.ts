import { createInterface } from 'node:readline'

/** Where a command writes and what it is given. The process's own, or a test's. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The result: standard output. */
  out(line: string): void
  /** Progress and problems: standard error. */
  error(line: string): void
  /** Resolves when the user asks to stop. */
  untilStopped(): Promise<void>
  /**
   * Asks for a line; `undefined` when the user ends the input or the signal aborts. One question at a time.
   * Absent when nobody sits there to answer.
   */
  ask?(question: string, options?: { readonly signal?: AbortSignal }): Promise<string | undefined>
}

/** The terminal of this process. A second Ctrl-C ends it at once. */
export function processTerminal(): Terminal {
  return {
    environment: process.env,
    out: (line) => void process.stdout.write(`${line}\n`),
    error: (line) => void process.stderr.write(`${line}\n`),
    untilStopped: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
          process.once(signal, () => {
            process.once(signal, () => process.exit(130))
            resolve()
          })
        }
      }),
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true && { ask: askLine }),
  }
}

/** Asks on standard error, so that standard output holds the result alone. */
function askLine(question: string, options: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> {
  const { signal } = options
  if (signal?.aborted === true) return Promise.resolve(undefined)
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  const close = () => lines.close()
  return new Promise<string | undefined>((resolve) => {
    lines.once('close', () => resolve(undefined))
    // The terminal is in raw mode while it asks: Ctrl-C comes as a key and is made a signal again.
    lines.once('SIGINT', () => {
      close()
      process.kill(process.pid, 'SIGINT')
    })
    signal?.addEventListener('abort', close, { once: true })
    lines.question(question, (answer) => {
      resolve(answer)
      close()
    })
  }).finally(() => signal?.removeEventListener('abort', close))
}
