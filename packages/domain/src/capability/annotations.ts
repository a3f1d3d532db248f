/** An icon to show beside a capability (MCP 2025-11-25, "Icons"). Only `https:` and `data:` sources are safe to load. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: string
  readonly [field: string]: unknown
}

/** Whom content is for and how much it matters. */
export interface ContentAnnotations {
  /** Who should see it: `user`, `assistant`. */
  readonly audience?: readonly string[]
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number
  /** When it last changed, ISO 8601. */
  readonly lastModified?: string
  readonly [field: string]: unknown
}
