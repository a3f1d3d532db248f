import type { JsonObject } from '@vmcp/domain'
import { pixel } from './content.js'

/** Every resource that the suite asks for. */
export const resources: readonly JsonObject[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that stays the same',
    mimeType: 'text/plain',
  },
  {
    uri: 'test://static-binary',
    name: 'Static binary',
    description: 'An image that stays the same',
    mimeType: 'image/png',
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched resource',
    description: 'A text to subscribe to',
    mimeType: 'text/plain',
  },
]

/** Its one template. */
export const resourceTemplates: readonly JsonObject[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'Template',
    description: 'Data by id',
    mimeType: 'application/json',
  },
]

/** The contents of a resource; absent when there is none. */
export function readResource(uri: string): JsonObject | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` }
    return { uri, mimeType: 'application/json', text: JSON.stringify(data) }
  }
  return contents[uri] === undefined ? undefined : { uri, ...contents[uri] }
}

const contents: Readonly<Record<string, JsonObject>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: pixel },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
}
