import { isJsonObject } from './json.js'
import type { Meta } from './json.js'

const reservedPrefix = 'io.modelcontextprotocol/'
const relayed = new Set([`${reservedPrefix}related-task`, `${reservedPrefix}model-immediate-response`])

/** True for a `_meta` key that describes one hop only, so that neither a client nor a backend can forge it through us. */
export function isReservedMetaKey(key: string): boolean {
  return key.startsWith(reservedPrefix) && !relayed.has(key)
}

/** The metadata that may cross the gateway: a copy without reserved keys, or `undefined` when nothing is left of it. */
export function relayableMeta(meta: Meta | undefined): Meta | undefined {
  if (!isJsonObject(meta)) return undefined
  const entries = Object.entries(meta).filter(([key]) => !isReservedMetaKey(key))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
