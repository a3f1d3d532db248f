import type { Page, PageRequest } from '@vmcp/domain'
import { BackendUnavailable } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { askBackend } from './ask-backend.js'
import type { BackendError } from './offer.js'

/** Pages of one list at most. */
const maxPages = 10_000

/**
 * Every item of a paged list. An empty cursor is a cursor like any other (MCP "Pagination"); some backends mean the end by
 * it, so one that answers it to itself ends the list; `null` ends it too. Any other repetition fails, and so do an
 * endless list and a cursor that is no text.
 */
export const readPages = Effect.fnUntraced(function* <Item>(
  backendId: string,
  list: (page: PageRequest, signal: AbortSignal) => Promise<Page<Item>>,
): Effect.fn.Return<readonly Item[], BackendError> {
  const items: Item[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let count = 0; count < maxPages; count++) {
    const request = cursor === undefined ? {} : { cursor }
    const page = yield* askBackend(backendId, (signal) => list(request, signal))
    if (!Array.isArray(page?.items)) return yield* Effect.fail(new BackendUnavailable(backendId, 'protocol'))
    const next: unknown = page.nextCursor ?? undefined
    if (next === '' && cursor === '') return items
    for (const item of page.items) items.push(item)
    if (next === undefined) return items
    if (typeof next !== 'string') return yield* Effect.fail(new BackendUnavailable(backendId, 'protocol'))
    if (seen.has(next)) {
      return yield* notAdvancing(backendId, `pagination cursor ${JSON.stringify(next.slice(0, 64))} repeated`)
    }
    seen.add(next)
    cursor = next
  }
  return yield* notAdvancing(backendId, `pagination exceeded ${String(maxPages)} pages`)
})

function notAdvancing(backendId: string, what: string): Effect.Effect<never, BackendUnavailable> {
  return Effect.fail(
    new BackendUnavailable(backendId, 'protocol', { detail: `${what}; backend is not advancing pages` }),
  )
}
