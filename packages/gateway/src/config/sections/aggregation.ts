import * as z from 'zod'
import { flag, nonEmptyText, oneOf, optional, section, text, wholeNumber } from '../fields.js'

const annotations = section({
  title: optional(text),
  readOnlyHint: optional(flag),
  destructiveHint: optional(flag),
  idempotentHint: optional(flag),
  openWorldHint: optional(flag),
})

/** Hints that a file may set on a tool. */
export const toolAnnotations = annotations

const override = section({
  name: optional(text),
  description: optional(text),
  annotations: optional(annotations),
})

const tools = section({
  workload: nonEmptyText,
  filter: optional(z.array(text, 'expected a list of tool names')),
  excludeAll: optional(flag),
  overrides: optional(z.record(z.string(), override, 'expected a section of tool names and overrides')),
})

/** How the capabilities of many backends become one list. */
export const aggregation = section({
  conflictResolution: optional(oneOf('prefix', 'priority', 'manual')),
  conflictResolutionConfig: optional(
    section({
      prefixFormat: optional(nonEmptyText),
      priorityOrder: optional(z.array(nonEmptyText, 'expected a list of backend names')),
    }),
  ),
  tools: optional(z.array(tools, 'expected a list')),
  excludeAllTools: optional(flag),
  defaultToolVisibility: optional(oneOf('allow', 'deny', '')),
  nameLengthLimit: optional(wholeNumber(16, 128)),
  reservedNameLength: optional(wholeNumber(0, 100)),
  invalidSchemas: optional(oneOf('drop', 'repair', 'pass')),
})

/** The `aggregation` section of the file. */
export type AggregationSection = z.infer<typeof aggregation>
