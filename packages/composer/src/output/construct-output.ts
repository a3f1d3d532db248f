import type { JsonObject, OutputProperty, WorkflowOutput } from '@vmcp/domain'
import { parseOnce } from '../parse-once.js'
import { messageOf } from '../run/step-failure.js'
import { evaluateTemplate, renderTemplate } from '../template/template.js'
import type { TemplateData } from '../template/template.js'
import { hasDefault, readDefault, readValue } from './read-value.js'

/** The output cannot be made. The message names the property and holds no value. */
export class OutputError extends Error {
  /** Dotted path. */
  readonly property: string

  constructor(property: string, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'OutputError'
    this.property = property
  }
}

/** Makes the output of a workflow from what its steps left. Throws `OutputError`. */
export function constructOutput(output: WorkflowOutput, data: TemplateData): JsonObject {
  const made = constructProperties(output.properties, '', data)
  for (const name of output.required ?? []) {
    if (!Object.hasOwn(made, name)) throw new OutputError(name, `required output field "${name}" is missing`)
    if (made[name] === null) throw new OutputError(name, `required output field "${name}" is nil`)
  }
  return made
}

function constructProperties(
  properties: WorkflowOutput['properties'],
  parent: string,
  data: TemplateData,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const path = parent === '' ? name : `${parent}.${name}`
      return [name, constructProperty(path, property, data)]
    }),
  )
}

function constructProperty(path: string, property: OutputProperty, data: TemplateData): unknown {
  if (property.properties !== undefined) return constructProperties(property.properties, path, data)
  let given: unknown
  try {
    given = giveValue(property, data)
  } catch (error) {
    if (hasDefault(property)) return defaultOf(path, property)
    throw new OutputError(path, `failed to expand template for property "${path}": ${messageOf(error)}`, {
      cause: error,
    })
  }
  if (given === noValue && hasDefault(property)) return defaultOf(path, property)
  const value = readValue(property.type, given)
  if (value !== undefined) return value
  if (hasDefault(property)) return defaultOf(path, property)
  throw new OutputError(path, misfit(path, property.type))
}

const noValue = '<no value>'

/** Objects and arrays may come as they are from a single expression; everything else is text. */
function giveValue(property: OutputProperty, data: TemplateData): unknown {
  const template = parseOnce(property, property.value ?? '')
  if (template.isSingleExpression && (property.type === 'object' || property.type === 'array')) {
    const value = evaluateTemplate(template, data)
    if (typeof value === 'object' && value !== null) return value
  }
  return renderTemplate(template, data)
}

function defaultOf(path: string, property: OutputProperty): unknown {
  const value = readDefault(property.type, property.default)
  if (value === undefined) {
    throw new OutputError(path, `failed to coerce default for property "${path}" to ${property.type}`)
  }
  return value
}

function misfit(path: string, type: OutputProperty['type']): string {
  if (type === 'object') return `failed to deserialize JSON for object property "${path}"`
  if (type === 'array') return `failed to deserialize JSON array for property "${path}"`
  return `failed to coerce value for property "${path}": cannot coerce it to ${type}`
}
