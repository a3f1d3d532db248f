import type { JsonObject } from '@vmcp/domain'

/** A PNG image of one red pixel, in Base64. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** A WAV file without samples, in Base64. */
export const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

/** A text block. */
export function text(value: string): JsonObject {
  return { type: 'text', text: value }
}

/** An image block of one pixel. */
export const image: JsonObject = { type: 'image', data: pixel, mimeType: 'image/png' }

/** An audio block of silence. */
export const audio: JsonObject = { type: 'audio', data: silence, mimeType: 'audio/wav' }

/** A block with a resource inside. */
export function embedded(uri: string, mimeType: string, value: string): JsonObject {
  return { type: 'resource', resource: { uri, mimeType, text: value } }
}

/** The result of a tool that answers one text. */
export function textResult(value: string): JsonObject {
  return { content: [text(value)] }
}
