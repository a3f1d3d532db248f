import type { Logger, WorkflowObserver } from '@vmcp/domain'
import { messageOf } from './run/step-failure.js'

/** An observer whose failures are logged and never reach the run. */
export function safeObserver(observer: WorkflowObserver | undefined, logger: Logger): WorkflowObserver {
  if (observer === undefined) return { observe() {} }
  return {
    observe(event) {
      try {
        observer.observe(event)
      } catch (error) {
        logger.warn('workflow observer failed', { event: event.type, error: messageOf(error) })
      }
    },
  }
}
