import type { CallNotification, Workflow, WorkflowEvent } from '@vmcp/domain'

/** A line on what happened in a run; `undefined` for what needs none. */
export function describeEvent(event: WorkflowEvent): string | undefined {
  switch (event.type) {
    case 'step-started':
      return `  ▸ ${event.stepId}: ${event.stepType === 'elicitation' ? 'asks the user' : describeCall(event)}`
    case 'step-completed':
      return `  ✓ ${event.stepId} in ${seconds(event.durationMs)}${describeRetries(event.retryCount)}`
    case 'step-failed':
      return `  ✗ ${event.stepId} after ${seconds(event.durationMs)}${describeRetries(event.retryCount)}`
    case 'step-skipped':
      return `  – ${event.stepId} skipped`
    default:
      return undefined
  }
}

/**
 * A line on what a running step reports. That a step has ended, its own event says: only a forEach step, whose items end
 * one by one, tells more.
 */
export function describeNotification(notification: CallNotification, { steps }: Workflow): string | undefined {
  if (notification.type === 'log') {
    const { level, logger, data } = notification
    const source = logger === undefined ? level : `${level} ${logger}`
    return `    ${source}: ${typeof data === 'string' ? data : JSON.stringify(data)}`
  }
  if (notification.type !== 'progress') return undefined
  const { progress, total, message = '' } = notification
  if (steps.some(({ id, type }) => type !== 'forEach' && id === message)) return undefined
  const part = total === undefined || total <= 0 ? String(progress) : `${Math.round((100 * progress) / total)} %`
  return `    ${part}  ${message}`.trimEnd()
}

function describeCall({ stepType, tool }: Extract<WorkflowEvent, { type: 'step-started' }>): string {
  if (stepType === 'forEach') return 'calls a tool for each item'
  return tool === undefined ? 'calls a tool' : `calls ${tool}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 100 ? 3 : 1)} s`
}

function describeRetries(count: number): string {
  return count === 0 ? '' : `, ${count} ${count === 1 ? 'retry' : 'retries'}`
}
