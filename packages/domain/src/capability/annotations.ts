/** An icon to show beside a capability (MCP 2025-11-25, "Icons"). Only `https:` and `data:` sources are safe to load. */
export interface Icon {
  /** Where the image is: an `https:` URL, or a `data:` URI that holds it in Base64. */
  readonly src: string
  /** The media type of the image, such as `image/png`, where the source does not tell it. */
  readonly mimeType?: string
  /** The sizes it is good for, as `48x48`, or `any` for one that scales; any when absent. */
  readonly sizes?: readonly string[]
  /** The background it is made for: `light` or `dark`; either when absent. */
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
