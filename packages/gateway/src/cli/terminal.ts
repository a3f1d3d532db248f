import { lineAsker } from './line-asker.js'

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

/**
 * The terminal of this process. A second Ctrl-C ends it at once. When nobody reads its output any more, as with
 * `vmcp … | head`, the command goes on unheard.
 */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
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
    // Asked on standard error, so that standard output holds the result alone.
    ...(process.stdin.isTTY &&
      process.stderr.isTTY && { ask: lineAsker({ input: process.stdin, output: process.stderr }) }),
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
