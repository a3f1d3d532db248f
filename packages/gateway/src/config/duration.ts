import * as z from 'zod'

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}
const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g
const parts = '(?:\\d+(?:\\.\\d+)?(?:ns|us|µs|ms|s|m|h))+'
const whole = new RegExp(`^-?${parts}$`)

/** Milliseconds of a Go duration such as `1m30s` or `500ms`; `undefined` when the text is not one. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (!whole.test(text)) return undefined
  const milliseconds = [...text.matchAll(part)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0),
    0,
  )
  return text.startsWith('-') ? -milliseconds : milliseconds
}

/** A Go duration in a file, as milliseconds. */
export const duration = z
  .string('expected a duration such as 30s or 1m30s')
  .transform((text, context) => {
    const milliseconds = parseDuration(text)
    if (milliseconds !== undefined) return milliseconds
    context.addIssue(`invalid duration: expected a text such as 30s or 1m30s, got "${text}"`)
    return z.NEVER
  })
  .meta({ pattern: `^(?:0|-?${parts})$`, examples: ['30s', '1m30s', '500ms'] })

/** A duration of zero or more, as milliseconds. */
export const durationFromZero = duration
  .refine((milliseconds) => milliseconds >= 0, 'must be >= 0')
  .meta({ pattern: `^(?:0|${parts})$` })

/** A duration above zero, as milliseconds. */
export const positiveDuration = duration
  .refine((milliseconds) => milliseconds > 0, 'must be positive')
  .meta({ pattern: `^(?=.*[1-9])${parts}$` })
