import { isJsonObject, type JsonObject, type JsonSchema } from '@vmcp/domain'

/** One field of a form: how to ask for it and how to read what was typed. */
export interface FormField {
  readonly name: string
  /** What the user reads before typing. */
  readonly question: string
  readonly required: boolean
  /** Taken when nothing is typed. */
  readonly default?: unknown
  /** The value of a line that is not empty, or what is wrong with it. */
  read(line: string): FieldValue
}

/** A value, or a sentence on what was expected. */
export type FieldValue = { readonly value: unknown } | { readonly problem: string }

/** The fields of a form: the properties of a JSON Schema object, as MCP's elicitation has them. */
export function formFields(schema: JsonSchema): readonly FormField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(object(schema['properties'])).map(([name, property]) =>
    formField(name, object(property), required.includes(name)),
  )
}

function formField(name: string, schema: JsonObject, required: boolean): FormField {
  const { title, description } = schema
  const kind = fieldKind(schema)
  const fallback = schema['default'] === undefined ? [] : [`default ${JSON.stringify(schema['default'])}`]
  const facts = [kind.expected, ...(required ? [] : ['optional']), ...fallback]
  const choices = kind.choices.map(({ label }, index) => `    ${index + 1}) ${label}`)
  return {
    name,
    question: [
      ...(typeof description === 'string' ? [`  ${description}`] : []),
      ...choices,
      `  ${typeof title === 'string' ? title : name} (${facts.join(', ')}): `,
    ].join('\n'),
    required,
    default: schema['default'],
    read: kind.read,
  }
}

interface Choice {
  readonly value: unknown
  readonly label: string
}

interface FieldKind {
  readonly expected: string
  readonly choices: readonly Choice[]
  read(line: string): FieldValue
}

function fieldKind(schema: JsonObject): FieldKind {
  const choices = choicesOf(schema)
  if (choices !== undefined) return { expected: 'one of these', choices, read: (line) => readChoice(line, choices) }
  switch (schema['type']) {
    case 'boolean':
      return { expected: 'yes or no', choices: [], read: readBoolean }
    case 'integer':
      return { expected: 'a whole number', choices: [], read: (line) => readNumber(line, schema) }
    case 'number':
      return { expected: 'a number', choices: [], read: (line) => readNumber(line, schema) }
    case 'array':
      return listKind(object(schema['items']))
    default:
      return { expected: 'a text', choices: [], read: (line) => readText(line, schema) }
  }
}

function listKind(items: JsonObject): FieldKind {
  const item = fieldKind(items)
  return {
    expected: item.choices.length > 0 ? 'any of these, with commas' : 'a list, with commas',
    choices: item.choices,
    read(line) {
      const read = line.split(',').map((part) => item.read(part.trim()))
      const problem = read.find((value) => 'problem' in value)
      return problem ?? { value: read.map((value) => ('value' in value ? value.value : undefined)) }
    },
  }
}

/** `enum`, with `enumNames` where a client of an older revision is asked, or `oneOf`/`anyOf` of titled constants. */
function choicesOf(schema: JsonObject): readonly Choice[] | undefined {
  const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : []
  if (Array.isArray(schema['enum'])) {
    return schema['enum'].map((value, index) => ({ value, label: String(names[index] ?? value) }))
  }
  const titled = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(titled)) return undefined
  return titled
    .map(object)
    .map((choice) => ({ value: choice['const'], label: String(choice['title'] ?? choice['const']) }))
}

function readChoice(line: string, choices: readonly Choice[]): FieldValue {
  const wanted = line.toLowerCase()
  const choice =
    choices.find(({ value, label }) => [String(value), label].some((name) => name.toLowerCase() === wanted)) ??
    (/^\d+$/.test(line) ? choices[Number(line) - 1] : undefined)
  if (choice !== undefined) return { value: choice.value }
  return { problem: `expected one of: ${choices.map(({ label }) => label).join(', ')}` }
}

function readBoolean(line: string): FieldValue {
  if (/^(?:y|yes|true)$/i.test(line)) return { value: true }
  if (/^(?:n|no|false)$/i.test(line)) return { value: false }
  return { problem: 'expected yes or no' }
}

function readNumber(line: string, { type, minimum, maximum }: JsonObject): FieldValue {
  const value = Number(line)
  if (!Number.isFinite(value)) return { problem: 'expected a number' }
  if (type === 'integer' && !Number.isInteger(value)) return { problem: 'expected a whole number' }
  if (typeof minimum === 'number' && value < minimum) return { problem: `expected at least ${minimum}` }
  if (typeof maximum === 'number' && value > maximum) return { problem: `expected at most ${maximum}` }
  return { value }
}

function readText(line: string, { minLength, maxLength }: JsonObject): FieldValue {
  const length = [...line].length
  if (typeof minLength === 'number' && length < minLength)
    return { problem: `expected at least ${minLength} characters` }
  if (typeof maxLength === 'number' && length > maxLength)
    return { problem: `expected at most ${maxLength} characters` }
  return { value: line }
}

function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
