import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { stringifyExact } from '../../json/exact-json.js'
import type { JsonText } from '../exchange.js'
import type { ListPage } from './pagination.js'
import type { Era } from './protocol-versions.js'

/** What this server says of itself to clients. */
export interface ServerInfo {
  /** A name for programs (MCP `Implementation`). */
  readonly name: string
  /** The version of the server, in any form. */
  readonly version: string
  /** A name for people. */
  readonly title?: string
  /** What the server is for. */
  readonly description?: string
  /** A page about the server. */
  readonly websiteUrl?: string
}

/** Serialises results for one era. */
export interface ResultWriter {
  readonly era: Era
  /** The JSON text of a result. A `reusable` one tells 2026-07-28 clients how long it holds. */
  write(result: JsonObject, kind?: 'reusable'): string
  /**
   * The JSON text of a list. An item is serialised once, however often and in whichever list it comes back: views hold
   * the same items until they change. A frozen list is put together and encoded once.
   */
  writeList<Item extends object>(list: string, page: ListPage<Item>, wire: (item: Item) => JsonObject): JsonText
}

const serverInfoKey = 'io.modelcontextprotocol/serverInfo'

/** What was serialised of one kind of list. */
interface Texts {
  readonly ofItems: WeakMap<object, string>
  readonly ofLists: WeakMap<object, JsonText>
}

/** Makes the writer of an era. Our `serverInfo` goes in last, so that no backend can speak in our name. */
export function createResultWriter(era: Era, serverInfo: ServerInfo): ResultWriter {
  const known = new Map<string, Texts>()

  return { era, write, writeList }

  function write(result: JsonObject, kind?: 'reusable'): string {
    return stringifyExact(era === '2025' ? result : envelop(result, kind))
  }

  function writeList<Item extends object>(
    list: string,
    { items, nextCursor }: ListPage<Item>,
    wire: (item: Item) => JsonObject,
  ): JsonText {
    const texts = known.get(list) ?? { ofItems: new WeakMap(), ofLists: new WeakMap() }
    known.set(list, texts)
    const whole = texts.ofLists.get(items)
    if (whole !== undefined) return whole
    const parts = items.map((item) => remember(texts.ofItems, item, () => stringifyExact(wire(item))))
    const rest = write(nextCursor === undefined ? {} : { nextCursor }, 'reusable')
    const text = `{${JSON.stringify(list)}:[${parts.join(',')}]${rest === '{}' ? '' : ','}${rest.slice(1)}`
    if (!Object.isFrozen(items)) return text
    const encoded = [new TextEncoder().encode(text)]
    texts.ofLists.set(items, encoded)
    return encoded
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

function remember(texts: WeakMap<object, string>, item: object, make: () => string): string {
  const text = texts.get(item) ?? make()
  texts.set(item, text)
  return text
}
