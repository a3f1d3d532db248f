import * as z from 'zod'
import { nonEmptyText, optional, section, text } from './fields.js'
import { aggregation } from './sections/aggregation.js'
import { incomingAuth, outgoingAuth } from './sections/auth.js'
import { backends } from './sections/backends.js'
import { compositeTool } from './sections/composite-tools.js'
import { operational } from './sections/operational.js'
import { suspension } from './sections/suspension.js'

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
  $schema: optional(text).describe('The JSON Schema of this file, for editors. It has no effect.'),
  name: nonEmptyText.describe('The name of this MCP server: shown to clients.'),
  groupRef: optional(text).describe('The group of backends in the reference. Shown by `vmcp validate`.'),
  backends: backends.describe('The MCP servers behind this one.'),
  incomingAuth: optional(incomingAuth).describe('Who the callers are, and what they may do.'),
  outgoingAuth: optional(outgoingAuth).describe('Which credentials the backends get. Absent: none.'),
  aggregation: optional(aggregation).describe('How what the backends offer becomes one list.'),
  operational: optional(operational).describe('Deadlines, health checks and failure handling.'),
  compositeTools: optional(z.array(compositeTool, 'expected a list of composite tools')).describe(
    'Tools that are made of steps: calls of other tools, questions to the user, and loops.',
  ),
  suspension: optional(suspension).describe(
    'Keys for calls that wait for the answer of a 2026-07-28 client. Absent: a key of this process alone.',
  ),
  passthroughHeaders: optional(z.array(text, 'expected a list of header names')).describe(
    'Headers of client requests that reach the backends. Credentials and connection headers are refused.',
  ),
  metadata: optional(z.record(z.string(), text, 'expected a section of names and texts')).describe(
    'Accepted for the reference; it has no effect here.',
  ),
})

/** What the file says, checked for shape. */
export type ConfigFile = z.infer<typeof fileSchema>
