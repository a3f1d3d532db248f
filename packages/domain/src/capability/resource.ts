import type { Meta } from '../json.js'
import type { ContentAnnotations, Icon } from './annotations.js'
import type { InputResponses } from './input-required.js'

/** A resource as it is advertised (MCP "Resources"). Fields this version does not know are kept. */
export interface Resource {
  /** The URI to read it by (RFC 3986). */
  readonly uri: string
  /** A name for programs, shown where there is no `title`. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What it holds, as a hint to the model. */
  readonly description?: string
  /** The media type (RFC 6838), if known. */
  readonly mimeType?: string
  /** Size in bytes. */
  readonly size?: number
  /** Whom it is for and how much it matters. */
  readonly annotations?: ContentAnnotations
  /** Icons to show beside it. */
  readonly icons?: readonly Icon[]
  /** Sent as `_meta`. */
  readonly meta?: Meta
  /** The backend that serves it. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}

/** A family of resources whose URIs follow an RFC 6570 template. */
export interface ResourceTemplate {
  /** The template text, such as `file:///{path}`. */
  readonly uriTemplate: string
  /** A name for programs, shown where there is no `title`. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What the resources hold, as a hint to the model. */
  readonly description?: string
  /** The media type (RFC 6838), if all its resources have the same. */
  readonly mimeType?: string
  /** Whom the resources are for and how much they matter. */
  readonly annotations?: ContentAnnotations
  /** Icons to show beside it. */
  readonly icons?: readonly Icon[]
  /** Sent as `_meta`. */
  readonly meta?: Meta
  /** The backend that serves it. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}

/** One reading of a resource. */
export interface ReadResourceRequest {
  /** A listed URI, or one that a listed template matches. */
  readonly uri: string
  /** Forwarded to the backend, minus reserved keys. Read-only. */
  readonly meta?: Meta
  /** Answers to the questions of an earlier `InputRequired` (2026-07-28). */
  readonly inputResponses?: InputResponses
  /** The `requestState` of that earlier result, unchanged. */
  readonly requestState?: string
}

/** The contents of one resource: `text`, or `blob` in Base64. */
export interface ResourceContents {
  /** What was read: the URI asked for, or one below it. */
  readonly uri: string
  /** The media type (RFC 6838), if known. */
  readonly mimeType?: string
  /** The contents, when they are text. */
  readonly text?: string
  /** The contents, when they are bytes: Base64 (RFC 4648). */
  readonly blob?: string
  /** Sent as `_meta`. */
  readonly meta?: Meta
  readonly [field: string]: unknown
}

/** What a reading gave. */
export interface ReadResourceResult {
  /** One for each resource that the URI stands for, such as the files of a folder. */
  readonly contents: readonly ResourceContents[]
  /** May be absent: do not rely on it. */
  readonly meta?: Meta
  /** The backend that answered. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}
