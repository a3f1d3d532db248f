import * as z from 'zod'
import { nonEmptyText, optional, section, text } from './fields.js'
import { aggregation } from './sections/aggregation.js'
import { incomingAuth, outgoingAuth } from './sections/auth.js'
import { backends } from './sections/backends.js'
import { compositeTool } from './sections/composite-tools.js'
import { operational } from './sections/operational.js'

/** Sections of the reference's file that this version does not serve. They are named rather than called unknown. */
export const unsupportedSections = [
  'telemetry',
  'audit',
  'rateLimiting',
  'optimizer',
  'codeMode',
  'sessionStorage',
  'compositeToolRefs',
] as const

/** The configuration file: camelCase keys as ToolHive's vMCP has them, and nothing else. */
export const fileSchema = section({
  name: nonEmptyText,
  groupRef: optional(text),
  backends,
  incomingAuth: optional(incomingAuth),
  outgoingAuth: optional(outgoingAuth),
  aggregation: optional(aggregation),
  operational: optional(operational),
  compositeTools: optional(z.array(compositeTool, 'expected a list of composite tools')),
  passthroughHeaders: optional(z.array(nonEmptyText, 'expected a list of header names')),
  metadata: optional(z.record(z.string(), text, 'expected a section of names and texts')),
})

/** What the file says, checked for shape. */
export type ConfigFile = z.infer<typeof fileSchema>
