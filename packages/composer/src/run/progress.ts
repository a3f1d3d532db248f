import type { CallNotification, ClientChannel } from '@vmcp/domain'

/** The progress of a run, told to the calling client as one rising series. */
export interface Progress {
  /** The channel for the calls of one step, or of one item of a forEach step. */
  channel(stepId: string, item?: ProgressItem): ClientChannel | undefined
  /** Notes that a step has ended. */
  end(stepId: string): void
  /** Notes that an item of a forEach step has ended. */
  endItem(stepId: string, item: ProgressItem): void
  /** Tells nothing from now on: what a call that was given up still reports belongs to no run. */
  close(): void
}

/** Which item of a forEach step. */
export interface ProgressItem {
  readonly index: number
  readonly count: number
}

/**
 * The progress of a workflow of so many steps. A step's own progress counts as a part of it; a call that does not say how
 * much there is in all comes nearer to its whole with each report. Everything but progress passes through.
 * `ended` are the steps of an earlier part of the run.
 */
export function createProgress(
  client: ClientChannel | undefined,
  stepCount: number,
  ended: Iterable<string> = [],
): Progress {
  if (client === undefined || !client.wantsProgress)
    return { channel: () => client, end() {}, endItem() {}, close() {} }
  const parts = new Map([...ended].map((stepId) => [stepId, [1]]))
  let told = parts.size
  let closed = false

  function tell(stepId: string, message: string | undefined): void {
    const progress = [...parts.values()].reduce((sum, items) => sum + average(items), 0)
    if (closed || progress <= told) return
    told = progress
    client?.notify({ type: 'progress', progress, total: stepCount, message: message ?? stepId })
  }

  function reach(stepId: string, item: ProgressItem, fraction: number): void {
    const items = parts.get(stepId) ?? new Array<number>(item.count).fill(0)
    items[item.index] = Math.max(items[item.index] ?? 0, fraction)
    parts.set(stepId, items)
  }

  return {
    channel(stepId, item = { index: 0, count: 1 }) {
      return foldProgress(client, (notification) => {
        reach(stepId, item, fractionOf(notification))
        tell(stepId, notification.message === undefined ? undefined : `${stepId}: ${notification.message}`)
      })
    },
    end(stepId) {
      parts.set(stepId, [1])
      tell(stepId, undefined)
    },
    endItem(stepId, item) {
      reach(stepId, item, 1)
      tell(stepId, undefined)
    },
    close() {
      closed = true
    },
  }
}

type ProgressNotification = Extract<CallNotification, { readonly type: 'progress' }>

function foldProgress(client: ClientChannel, fold: (notification: ProgressNotification) => void): ClientChannel {
  return {
    capabilities: client.capabilities,
    answers: client.answers,
    wantsProgress: true,
    ...(client.elicitation !== undefined && { elicitation: client.elicitation }),
    ...(client.forward !== undefined && { forward: client.forward.bind(client) }),
    notify(notification) {
      if (notification.type === 'progress') fold(notification)
      else client.notify(notification)
    },
  }
}

function fractionOf({ progress, total }: ProgressNotification): number {
  if (!Number.isFinite(progress)) return 0
  const fraction = total !== undefined && total > 0 ? progress / total : 1 - 1 / (1 + Math.max(progress, 0))
  return Math.min(Math.max(fraction, 0), 0.99)
}

function average(items: readonly number[]): number {
  return items.reduce((sum, item) => sum + item, 0) / items.length
}
