/** Facts beside a log message. Never an identity, a token or a backend's body. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where a package reports what an operator should know. Packages write nowhere else. */
export interface Logger {
  /** Details for finding a fault. */
  debug(message: string, fields?: LogFields): void
  /** A change of state that an operator expects. */
  info(message: string, fields?: LogFields): void
  /** Something was left out, or will surprise. */
  warn(message: string, fields?: LogFields): void
  /** Something failed for good. */
  error(message: string, fields?: LogFields): void
}

/** Says nothing: the default of every package. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
