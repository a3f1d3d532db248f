import type { LogFields, Logger } from '@vmcp/domain'

/** A logger whose failures stay its own: what `logger` throws ends here, so that a verb never fails for a line of a log. */
export function guardedLogger(logger: Logger): Logger {
  const guarded =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        logger[level](message, fields)
      } catch {
        // there is nobody left to tell
      }
    }
  return { debug: guarded('debug'), info: guarded('info'), warn: guarded('warn'), error: guarded('error') }
}
