import * as z from 'zod'
import { nonEmptyText, oneOf, optional, section, text } from '../fields.js'

const url = text.refine(
  (value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol),
  'expected an http:// or https:// URL',
)

const name = nonEmptyText.refine((value) => value.length <= 128, 'expected at most 128 characters')
const metadata = optional(z.record(z.string(), text))

const httpBackend = section({
  name,
  transport: oneOf('streamable-http', 'sse', 'stdio'),
  url,
  type: optional(oneOf('', 'entry')),
  metadata,
})

const stdioBackend = section({
  name,
  transport: oneOf('streamable-http', 'sse', 'stdio'),
  command: nonEmptyText,
  args: optional(z.array(text, 'expected a list of texts')),
  env: optional(z.record(z.string(), text, 'expected a section of names and texts')),
  /** Relative to the file's folder. */
  cwd: optional(nonEmptyText),
  type: optional(oneOf('', 'entry')),
  metadata,
})

/** One backend of the file. */
export type BackendSection = z.infer<typeof httpBackend> | z.infer<typeof stdioBackend>

/**
 * The `backends` list. The transport decides which fields a backend has;
 * without one, a `command` means `stdio` and a `url` means `streamable-http`.
 */
export const backends = z.array(
  z.preprocess(withTransport, z.unknown()).transform((value, context): BackendSection => {
    const shape = isStdio(value) ? stdioBackend : httpBackend
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never)
    return z.NEVER
  }),
  'expected a list of backends',
)

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
