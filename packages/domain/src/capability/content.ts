import type { Meta } from '../json.js'
import type { ContentAnnotations, Icon } from './annotations.js'
import type { ResourceContents } from './resource.js'

/**
 * One block of a result or a message.
 * A block of a type this version does not know, and a field it does not know, are kept and relayed.
 */
export interface ContentBlock {
  /** `text`, `image`, `audio`, `resource_link`, `resource`, or a type of a later revision. */
  readonly type: string
  readonly annotations?: ContentAnnotations
  readonly meta?: Meta
  readonly [field: string]: unknown
}

/** Plain text. */
export interface TextContent extends ContentBlock {
  readonly type: 'text'
  readonly text: string
}

/** An image or a sound, Base64. */
export interface MediaContent extends ContentBlock {
  readonly type: 'image' | 'audio'
  readonly data: string
  readonly mimeType: string
}

/** A pointer to a resource that can be read through the gateway. */
export interface ResourceLink extends ContentBlock {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly icons?: readonly Icon[]
}

/** The contents of a resource, inside a result. */
export interface EmbeddedResource extends ContentBlock {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

/** A text block. */
export function text(value: string): TextContent {
  return { type: 'text', text: value }
}

/** True for a text block. */
export function isText(block: ContentBlock): block is TextContent {
  return block.type === 'text' && typeof block['text'] === 'string'
}

/** True for an image or audio block. */
export function isMedia(block: ContentBlock): block is MediaContent {
  return (block.type === 'image' || block.type === 'audio') && typeof block['data'] === 'string'
}

/** True for a resource link. */
export function isResourceLink(block: ContentBlock): block is ResourceLink {
  return block.type === 'resource_link' && typeof block['uri'] === 'string'
}

/** True for an embedded resource. */
export function isEmbeddedResource(block: ContentBlock): block is EmbeddedResource {
  return block.type === 'resource' && typeof block['resource'] === 'object' && block['resource'] !== null
}
