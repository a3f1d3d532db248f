import * as z from 'zod'
import { nonEmptyText, oneOf, optional, section, text } from '../fields.js'

const url = text
  .refine(
    (value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol),
    'expected an http:// or https:// URL',
  )
  .refine(
    (value) => !URL.canParse(value) || (new URL(value).username === '' && new URL(value).password === ''),
    'expected a URL without user and password: credentials belong in outgoingAuth',
  )
  .meta({ type: 'string', pattern: '^https?://' })

const transport = optional(oneOf('streamable-http', 'sse', 'stdio'))

const common = {
  name: nonEmptyText
    .refine((value) => value.length <= 128, 'expected at most 128 characters')
    .describe('Unique. The prefix of what it offers, and its name in other sections.'),
  type: optional(z.enum(['', 'entry'], 'expected entry; how to speak with the backend is said in transport')).describe(
    'Accepted for the reference; it has no effect here.',
  ),
  metadata: optional(z.record(z.string(), text, 'expected a section of names and texts')).describe(
    'Free facts, shown in status.',
  ),
}

/** A backend that is reached over HTTP. */
export const httpBackend = section({
  ...common,
  transport: transport
    .meta({ enum: ['streamable-http', 'sse', 'streamable'] })
    .describe('How to speak with it; streamable-http when absent.'),
  url: url.describe('Its MCP endpoint.'),
})

/** A backend that the gateway starts as a process. */
export const stdioBackend = section({
  ...common,
  transport: transport.meta({ enum: ['stdio'] }).describe('Follows from command when absent.'),
  command: nonEmptyText.describe('The program to start, without a shell.'),
  args: optional(z.array(text, 'expected a list of texts')).describe('Its arguments.'),
  env: optional(z.record(z.string(), text, 'expected a section of names and texts')).describe(
    'Variables added to a small safe environment.',
  ),
  cwd: optional(nonEmptyText).describe("Its folder, relative to this file's; that folder when absent."),
})

/** One backend of the file. */
export type BackendSection = z.infer<typeof httpBackend> | z.infer<typeof stdioBackend>

/**
 * One entry of the `backends` list. The transport decides which fields a backend has;
 * without one, a `command` means `stdio` and a `url` means `streamable-http`.
 */
export const backend = z.preprocess(withTransport, z.unknown()).transform((value, context): BackendSection => {
  const shape = isStdio(value) ? stdioBackend : httpBackend
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const message =
      issue.path[0] === 'url' && isUnreachable(value) ? 'expected a url, or a command to start' : issue.message
    context.issues.push({ ...issue, message, input: value } as never)
  }
  return z.NEVER
})

/** The `backends` list. */
export const backends = z.array(backend, 'expected a list of backends')

function withTransport(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Readonly<Record<string, unknown>>
  const transport = fields['transport']
  if (transport === 'streamable') return { ...fields, transport: 'streamable-http' }
  if (transport !== undefined && transport !== null) return fields
  return { ...fields, transport: 'command' in fields ? 'stdio' : 'streamable-http' }
}

function isStdio(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { transport?: unknown }).transport === 'stdio'
}

function isUnreachable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('url' in value) && !('command' in value)
}
