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
  /** Whom it is for and how much it matters. */
  readonly annotations?: ContentAnnotations
  /** Sent as `_meta`. */
  readonly meta?: Meta
  readonly [field: string]: unknown
}

/** Plain text. */
export interface TextContent extends ContentBlock {
  readonly type: 'text'
  /** The text itself. */
  readonly text: string
}

/** An image or a sound, Base64. */
export interface MediaContent extends ContentBlock {
  readonly type: 'image' | 'audio'
  /** The bytes, Base64 (RFC 4648). */
  readonly data: string
  /** The media type of the bytes, such as `image/png` or `audio/wav`. */
  readonly mimeType: string
}

/** A pointer to a resource that can be read through the gateway. */
export interface ResourceLink extends ContentBlock {
  readonly type: 'resource_link'
  /** The URI to read it by. */
  readonly uri: string
  /** A name for programs, shown where there is no `title`. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What the resource holds, as a hint to the model. */
  readonly description?: string
  /** The media type (RFC 6838), if known. */
  readonly mimeType?: string
  /** Size in bytes, before any encoding. */
  readonly size?: number
  /** Icons to show beside it. */
  readonly icons?: readonly Icon[]
}

/** The contents of a resource, inside a result. */
export interface EmbeddedResource extends ContentBlock {
  readonly type: 'resource'
  /** The contents and the URI they were read from. */
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
