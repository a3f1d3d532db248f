import type { Identity, Logger, SubscribeOptions, VmcpEvent } from '@vmcp/domain'

import { emptyLists, listNames } from './list-digests.js'
import type { ListDigests } from './list-digests.js'

/** One caller that hears of changes. */
export interface Subscriber {
  readonly identity: Identity | null
  readonly options: SubscribeOptions
  /** The resources that backends watch for it, by the URI it asked for. */
  readonly watches: Map<string, Watch>
  readonly isListening: () => boolean
  /** Tells the listener, which must not throw; when it does, that is logged. Nothing after it has been let go. */
  tell(event: VmcpEvent): void
  /**
   * Compares the caller's lists with what they were, tells of each that differs, and keeps them. The first time there is
   * nothing to compare with. Lists that cannot be had (`undefined`) are no difference, and count as empty at first.
   */
  compare(digests: ListDigests | undefined): boolean
}

/** A resource that a backend watches. */
export interface Watch {
  readonly backendId: string
  readonly stop: () => void
}

/** What a subscriber is made from. */
export interface SubscriberFields {
  readonly identity: Identity | null
  readonly listener: (event: VmcpEvent) => void
  readonly options: SubscribeOptions
  readonly logger: Logger
  readonly isListening: () => boolean
}

/** Makes a subscriber that has seen nothing yet. */
export function makeSubscriber(fields: SubscriberFields): Subscriber {
  const { identity, listener, options, logger, isListening } = fields
  let seen: ListDigests | undefined

  const tell = (event: VmcpEvent): void => {
    if (!isListening()) return
    try {
      listener(event)
    } catch {
      logger.warn('a listener of events threw', { event: event.type })
    }
  }
  return {
    identity,
    options,
    watches: new Map(),
    isListening,
    tell,
    compare: (digests) => {
      const before = seen
      if (before === undefined) {
        seen = digests ?? emptyLists
        return false
      }
      if (digests === undefined) return false
      seen = digests
      const changed = listNames.filter((list) => digests[list] !== before[list])
      for (const list of changed) tell({ type: 'list-changed', list })
      return changed.length > 0
    },
  }
}
