import type { Logger } from '@vmcp/domain'
import { pino, destination } from 'pino'

/** How much to log. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A logger that can be told to say more or less. */
export interface AdjustableLogger extends Logger {
  setLevel(level: LogLevel): void
}

/** Logs JSON lines to standard error, so that standard output stays free. */
export function createLogger(level: LogLevel): AdjustableLogger {
  const logger = pino({ level, base: null }, destination({ dest: 2, sync: true }))
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    setLevel: (next) => {
      logger.level = next
    },
  }
}
