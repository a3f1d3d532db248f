import type { ToolAnnotations } from '@vmcp/domain'

/** The hints that the steps of a workflow allow at most. */
export type AnnotationFloor = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly openWorldHint: boolean
}

/** A hint of a workflow that looks safer than its steps. */
export type ContradictedHint = 'readOnlyHint' | 'destructiveHint' | 'openWorldHint'

/**
 * The floor over the tools of the steps: read-only if all say so, destructive and open unless all deny it.
 * A tool without hints counts as dangerous. No tools, no floor.
 */
export function annotationFloor(tools: readonly (ToolAnnotations | undefined)[]): AnnotationFloor | undefined {
  if (tools.length === 0) return undefined
  return {
    readOnlyHint: tools.every((hints) => hints?.readOnlyHint === true),
    destructiveHint: tools.some((hints) => hints?.destructiveHint !== false),
    openWorldHint: tools.some((hints) => hints?.openWorldHint !== false),
  }
}

/** The first hint that looks safer than the floor, if any. `idempotentHint` never does. */
export function contradiction(
  explicit: ToolAnnotations | undefined,
  floor: AnnotationFloor | undefined,
): ContradictedHint | undefined {
  if (explicit === undefined || floor === undefined) return undefined
  if (explicit.readOnlyHint === true && !floor.readOnlyHint) return 'readOnlyHint'
  if (explicit.destructiveHint === false && floor.destructiveHint) return 'destructiveHint'
  if (explicit.openWorldHint === false && floor.openWorldHint) return 'openWorldHint'
  return undefined
}

/** What is advertised: the floor, and over it what the workflow says itself. */
export function mergeAnnotations(
  explicit: ToolAnnotations | undefined,
  floor: AnnotationFloor | undefined,
): ToolAnnotations | undefined {
  if (explicit === undefined) return floor
  const said = Object.entries(explicit).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return { ...floor, ...Object.fromEntries(said) }
}
