import type { Logger, VmcpEvents } from '@vmcp/domain'

import type { BackendsShape } from '../backends/backends.js'

/** Tells every backend that the folders of a client have changed. Which of them have a session for it, they know. */
export function tellRoots(backends: BackendsShape, logger: Logger): NonNullable<VmcpEvents['rootsChanged']> {
  return (identity, channel, options = {}) => {
    for (const { id, client } of backends.all) {
      try {
        client.rootsChanged?.(identity, channel, options)
      } catch {
        logger.warn('a backend client threw where it must not', { backend: id })
      }
    }
  }
}
