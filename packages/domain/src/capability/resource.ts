import type { Meta } from '../json.js'
import type { ContentAnnotations, Icon } from './annotations.js'
import type { InputResponses } from './input-required.js'

/** A resource as it is advertised (MCP "Resources"). Fields this version does not know are kept. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** Size in bytes. */
  readonly size?: number
  readonly annotations?: ContentAnnotations
  readonly icons?: readonly Icon[]
  readonly meta?: Meta
  /** The backend that serves it. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}

/** A family of resources whose URIs follow an RFC 6570 template. */
export interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: ContentAnnotations
  readonly icons?: readonly Icon[]
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
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
  readonly meta?: Meta
  readonly [field: string]: unknown
}

/** What a reading gave. */
export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
  /** May be absent: do not rely on it. */
  readonly meta?: Meta
  /** The backend that answered. Never sent to a client. */
  readonly backendId?: string
  readonly [field: string]: unknown
}
