import type { LogFields, Logger } from '@vmcp/domain'

/** One line of a log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

/** A logger that keeps what it was told. */
export interface RecordingLogger extends Logger {
  /** In order, oldest first. */
  readonly lines: readonly LogLine[]
  /** Everything as one JSON text, for asserting that something was never logged. */
  text(): string
}

/** Makes a logger that keeps what it was told and prints nothing. */
export function recordingLogger(): RecordingLogger {
  const lines: LogLine[] = []
  const record =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields })
    }
  return {
    lines,
    text: () => JSON.stringify(lines),
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  }
}
