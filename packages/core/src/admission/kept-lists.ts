import { LruMap } from '../aggregator/lru-map.js'

/** How many callers' versions of one list are kept. */
const callersOfEach = 32

/**
 * What was kept of lists that cannot change. A caller's key stands for all that a policy can tell of that caller, so equal
 * keys have equal lists; a list that is gone takes its versions along.
 */
export interface KeptLists {
  /** What this caller was given of `items`, asked about in this way, if that is known. */
  readonly get: <Item>(items: readonly Item[], asked: object, caller: string) => readonly Item[] | undefined
  /** Remembers it. A list that is not frozen may change, and is not remembered. */
  readonly set: <Item>(items: readonly Item[], asked: object, version: Version<Item>) => void
}

/** What one caller is given of a list. */
export interface Version<Item> {
  readonly caller: string
  readonly kept: readonly Item[]
}

/** Remembers nothing yet. */
export function keptLists(): KeptLists {
  const known = new WeakMap<object, WeakMap<object, LruMap<string, readonly unknown[]>>>()
  return {
    get: <Item>(items: readonly Item[], asked: object, caller: string) =>
      known.get(items)?.get(asked)?.get(caller) as readonly Item[] | undefined,
    set: (items, asked, { caller, kept }) => {
      if (!Object.isFrozen(items)) return
      const ways = known.get(items) ?? new WeakMap<object, LruMap<string, readonly unknown[]>>()
      const versions = ways.get(asked) ?? new LruMap<string, readonly unknown[]>(callersOfEach)
      versions.set(caller, kept)
      known.set(items, ways.set(asked, versions))
    },
  }
}
