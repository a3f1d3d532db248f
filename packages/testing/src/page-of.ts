import type { Page, PageRequest } from '@vmcp/domain'

/** The page of `items` that `request` asks for. A cursor is the index of the page's first item. */
export function pageOf<Item>(items: readonly Item[] = [], request: PageRequest, pageSize = items.length): Page<Item> {
  const start = Number(request.cursor ?? 0)
  const end = start + pageSize
  return { items: items.slice(start, end), ...(end < items.length && { nextCursor: String(end) }) }
}
