import * as z from 'zod'

/** A text. A bare number or boolean of YAML is taken as written, as the reference does. */
export const text = z
  .preprocess(
    (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
    z.string('expected a text'),
  )
  .meta({ type: ['string', 'number', 'boolean'] })

/** A text that says something. */
export const nonEmptyText = text
  .refine((value) => value !== '', 'expected a text that is not empty')
  .meta({ minLength: 1 })

/** A field that may be left out. `null`, which YAML gives for an empty value, counts as left out. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === null ? undefined : value), schema.optional())
}

/** An object with these fields and no others. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? 'expected a section of keys and values' : undefined),
  })
}

/** A JSON object whose content is checked elsewhere. */
export const jsonObject = z.record(z.string(), z.unknown(), 'expected a section of keys and values')

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, `expected one of: ${words.join(', ')}`)
}

/** A whole number in a range. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const expected = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  return z
    .number(`expected a whole number ${expected}`)
    .refine(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `expected a whole number ${expected}`,
    )
    .meta({ type: 'integer', minimum: least, ...(most !== Number.MAX_SAFE_INTEGER && { maximum: most }) })
}

/** True or false. */
export const flag = z.boolean('expected true or false')
