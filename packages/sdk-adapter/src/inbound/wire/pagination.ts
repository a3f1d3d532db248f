import { InvalidInput, isJsonObject } from '@vmcp/domain'

/** One page of a list, in the order of its keys. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Where the next page starts; absent on the last one. */
  readonly nextCursor?: string
}

/** How a list is cut into pages. */
export interface Paging<Item> {
  /** The list's name: a cursor of one list does not fit another. */
  readonly list: string
  readonly pageSize: number
  /** What the list is ordered by. Equal keys are allowed. */
  readonly keyOf: (item: Item) => string
}

const longestCursor = 512
/** A key is remembered by its beginning, so that a cursor stays short whatever a backend's URIs are like. */
const keyLength = 50

/**
 * Cuts a page. The cursor is opaque to clients, names no backend, and holds when items come and go between pages: it
 * remembers the last key and how many of that key were sent. Throws `InvalidInput` for a cursor that is not ours.
 */
export function pageOf<Item>(items: readonly Item[], cursor: unknown, paging: Paging<Item>): ListPage<Item> {
  const { list, pageSize, keyOf } = paging
  const position = readCursor(cursor, list)
  if (position === undefined && items.length <= pageSize) return { items }
  const ordered = items.toSorted((one, other) => compare(keyOf(one), keyOf(other)))
  const start = position === undefined ? 0 : startAfter(ordered.map(keyOf), position)
  const page = ordered.slice(start, start + pageSize)
  const last = page.at(-1)
  if (last === undefined || start + pageSize >= ordered.length) return { items: page }
  return { items: page, nextCursor: writeCursor(list, ordered.map(keyOf), start + page.length) }
}

interface Position {
  readonly key: string
  readonly sent: number
}

function startAfter(keys: readonly string[], { key, sent }: Position): number {
  const first = keys.findIndex((candidate) => candidate >= key)
  if (first === -1) return keys.length
  const isPast = key.length < keyLength ? (other: string) => other !== key : (other: string) => !other.startsWith(key)
  const past = keys.findIndex((candidate, index) => index >= first && isPast(candidate))
  return Math.min(first + sent, past === -1 ? keys.length : past)
}

function writeCursor(list: string, keys: readonly string[], end: number): string {
  const key = (keys[end - 1] ?? '').slice(0, keyLength)
  const sent = end - keys.findIndex((candidate) => candidate >= key)
  return Buffer.from(JSON.stringify({ k: list, l: key, d: sent })).toString('base64url')
}

function readCursor(cursor: unknown, list: string): Position | undefined {
  if (cursor === undefined || cursor === null || cursor === '') return undefined
  if (typeof cursor !== 'string' || cursor.length > longestCursor) throw invalidCursor()
  const { k, l, d } = parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (k !== list || typeof l !== 'string' || l === '') throw invalidCursor()
  if (typeof d !== 'number' || !Number.isInteger(d) || d < 0) throw invalidCursor()
  return { key: l, sent: d }
}

function parse(text: string): { readonly k?: unknown; readonly l?: unknown; readonly d?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function invalidCursor(): InvalidInput {
  return new InvalidInput('invalid cursor', { field: 'cursor' })
}
