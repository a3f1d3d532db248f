import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import type { Era } from './protocol-versions.js'

/** What this server says of itself to clients. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
}

/** Serialises results for one era. */
export interface ResultWriter {
  readonly era: Era
  /** The JSON text of a result. A `reusable` one tells 2026-07-28 clients how long it holds. */
  write(result: JsonObject, kind?: 'reusable'): string
  /** The text that `make` gives, made once for each (source, key): for lists, which come back as the same array. */
  once(source: object, key: string, make: () => string): string
}

const serverInfoKey = 'io.modelcontextprotocol/serverInfo'

/** Makes the writer of an era. Our `serverInfo` goes in last, so that no backend can speak in our name. */
export function createResultWriter(era: Era, serverInfo: ServerInfo): ResultWriter {
  const texts = new WeakMap<object, Map<string, string>>()
  return {
    era,
    write:
      era === '2025' ? (result) => JSON.stringify(result) : (result, kind) => JSON.stringify(envelop(result, kind)),
    once: (source, key, make) => {
      const known = texts.get(source) ?? new Map<string, string>()
      texts.set(source, known)
      const text = known.get(key) ?? make()
      known.set(key, text)
      return text
    },
  }

  function envelop(result: JsonObject, kind: 'reusable' | undefined): JsonObject {
    return {
      resultType: 'complete',
      ...result,
      ...(kind === 'reusable' && { ttlMs: 0, cacheScope: 'private' }),
      _meta: { ...(isJsonObject(result['_meta']) && result['_meta']), [serverInfoKey]: serverInfo },
    }
  }
}
