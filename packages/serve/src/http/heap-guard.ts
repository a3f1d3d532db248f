import { getHeapStatistics } from 'node:v8'

/** Tells how full this process is, so that it refuses work before it dies of it. */
export interface HeapGuard {
  /** True when more than `share` of the heap that Node may use is in use. */
  isOver(share: number): boolean
}

/** Milliseconds for which one measurement holds. */
const holdsForMs = 500

/** Makes a guard that measures at most twice a second. `measure` gives the share in use, from 0 to 1. */
export function createHeapGuard(measure: () => number = heapInUse, now: () => number = Date.now): HeapGuard {
  let share = 0
  let measuredAt = -Infinity
  return {
    isOver: (limit) => {
      const time = now()
      if (time - measuredAt >= holdsForMs) {
        share = measure()
        measuredAt = time
      }
      return share > limit
    },
  }
}

function heapInUse(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used / limit
}
