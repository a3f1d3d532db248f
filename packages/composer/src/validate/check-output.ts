import { isJsonObject } from '@vmcp/domain'
import type { ConfigProblem, OutputProperty, WorkflowOutput } from '@vmcp/domain'
import { limits } from '../limits.js'
import { hasDefault } from '../output/read-value.js'
import { checkTemplate } from './check-template.js'

/** What is wrong in the output of a workflow. */
export function checkOutput(output: WorkflowOutput): readonly ConfigProblem[] {
  const properties = output.properties ?? {}
  if (Object.keys(properties).length === 0) {
    return [{ path: 'output.properties', message: 'output properties cannot be empty' }]
  }
  const missing = (output.required ?? []).filter((name) => !Object.hasOwn(properties, name))
  return [
    ...missing.map((name) => ({
      path: 'output.required',
      message: `required field "${name}" does not exist in properties`,
    })),
    ...checkProperties(properties, 'output.properties', 0),
  ]
}

function checkProperties(
  properties: WorkflowOutput['properties'],
  path: string,
  depth: number,
): readonly ConfigProblem[] {
  if (depth > limits.outputDepth) {
    return [{ path, message: `exceeds maximum nesting depth ${limits.outputDepth}` }]
  }
  return Object.entries(properties).flatMap(([name, property]) => [
    ...checkProperty(property, `${path}.${name}`, depth),
  ])
}

const types: readonly string[] = ['string', 'integer', 'number', 'boolean', 'object', 'array']

function* checkProperty(property: OutputProperty, path: string, depth: number): Iterable<ConfigProblem> {
  if (!property.type) yield { path, message: "missing required field 'type'" }
  else if (!types.includes(property.type)) yield { path, message: `has invalid type "${String(property.type)}"` }
  if (!property.description) yield { path, message: "missing required field 'description'" }

  const hasValue = property.value !== undefined && property.value !== ''
  const nested = property.properties ?? {}
  const hasProperties = Object.keys(nested).length > 0
  if (hasValue && hasProperties) yield { path, message: "cannot have both 'value' and 'properties' fields" }
  if (!hasValue && property.type !== 'object')
    yield { path, message: `must have 'value' field for type ${property.type}` }
  else if (!hasValue && !hasProperties) yield { path, message: "must have either 'value' or 'properties' field" }

  for (const problem of checkTemplate(property.value, `${path}.value`)) {
    yield { ...problem, message: problem.message.replace('invalid template', 'has invalid template syntax') }
  }
  if (hasDefault(property) && types.includes(property.type) && !isDefaultOf(property.type, property.default)) {
    yield { path: `${path}.default`, message: `does not fit type ${property.type}` }
  }
  if (hasProperties) yield* checkProperties(nested, `${path}.properties`, depth + 1)
}

/** Text fits every type: whether it can be read is known when it is used. */
function isDefaultOf(type: OutputProperty['type'], value: unknown): boolean {
  if (type === 'string' || typeof value === 'string') return true
  if (type === 'object') return isJsonObject(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'boolean') return typeof value === 'boolean' || Number.isInteger(value)
  return typeof value === 'number'
}
