import * as z from 'zod'
import { flag, nonEmptyText, oneOf, optional, section, text, wholeNumber } from '../fields.js'

const annotations = section({
  title: optional(text).describe('A title for people.'),
  readOnlyHint: optional(flag).describe('It changes nothing.'),
  destructiveHint: optional(flag).describe('It may destroy something.'),
  idempotentHint: optional(flag).describe('Calling it twice with the same arguments is calling it once.'),
  openWorldHint: optional(flag).describe('It reaches beyond a closed world, the web for example.'),
})

/** Hints that a file may set on a tool. */
export const toolAnnotations = annotations

const override = section({
  name: optional(text).describe('The name it is advertised by, before any prefix.'),
  description: optional(text).describe('The description it is advertised with.'),
  annotations: optional(annotations).describe('Hints to set; those that are absent stay.'),
})

const tools = section({
  workload: nonEmptyText.describe("The backend's name."),
  filter: optional(z.array(text, 'expected a list of tool names')).describe(
    'Advertise only these: names before or after the override. Empty or absent: all.',
  ),
  excludeAll: optional(flag).describe('Advertise none of its tools. Composite tools may still use them.'),
  overrides: optional(z.record(z.string(), override, 'expected a section of tool names and overrides')).describe(
    "What to change on a tool, by the backend's own name of it.",
  ),
})

const conflictResolutionConfig = section({
  prefixFormat: optional(nonEmptyText).describe('{workload} stands for the backend name; "{workload}_" when absent.'),
  priorityOrder: optional(z.array(nonEmptyText, 'expected a list of backend names')).describe(
    'For priority: the first backend that has a name keeps it.',
  ),
})

/** How the capabilities of many backends become one list. */
export const aggregation = section({
  conflictResolution: optional(oneOf('prefix', 'priority', 'manual')).describe(
    'How equal names are told apart: a prefix on every name (the default), by priority, or by overrides only.',
  ),
  conflictResolutionConfig: optional(conflictResolutionConfig).describe('Settings of the strategy.'),
  tools: optional(z.array(tools, 'expected a list')).describe('Which tools are advertised and how, by backend.'),
  excludeAllTools: optional(flag).describe('Hide every backend tool. Composite tools may still use them.'),
  defaultToolVisibility: optional(oneOf('allow', 'deny', '')).describe(
    'deny: a backend without an entry in tools advertises no tools. allow when absent.',
  ),
  nameLengthLimit: optional(wholeNumber(16, 128)).describe('Characters of an advertised name; 64 when absent.'),
  reservedNameLength: optional(wholeNumber(0, 100)).describe(
    'Characters of that limit that clients need for a prefix of their own; 0 when absent.',
  ),
  invalidSchemas: optional(oneOf('drop', 'repair', 'pass')).describe(
    'What to do with a tool whose schema is not valid: leave it out (the default), mend it, or pass it on.',
  ),
})

/** The `aggregation` section of the file. */
export type AggregationSection = z.infer<typeof aggregation>
