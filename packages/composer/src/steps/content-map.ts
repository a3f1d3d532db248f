import { isEmbeddedResource, isMedia, isText } from '@vmcp/domain'
import type { ContentBlock, JsonObject } from '@vmcp/domain'

/**
 * Content blocks by kind and number, as templates read them: `text`, `text_1`, `image_0`, `image_1`, `resource`,
 * `resource_1`. Audio and links are left out.
 */
export function contentMap(content: readonly ContentBlock[]): JsonObject {
  const map: Record<string, string> = {}
  let texts = 0
  let images = 0
  let resources = 0
  for (const block of content) {
    if (isText(block)) {
      map[numbered('text', texts++)] = block.text
    } else if (isEmbeddedResource(block)) {
      map[numbered('resource', resources++)] = block.resource.text || block.resource.blob || ''
    } else if (isMedia(block) && block.type === 'image') {
      map[`image_${images++}`] = block.data
    }
  }
  return map
}

function numbered(kind: string, number: number): string {
  return number === 0 ? kind : `${kind}_${number}`
}
