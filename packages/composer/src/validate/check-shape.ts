import type { ConfigProblem } from '@vmcp/domain'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'

/**
 * What in a workflow is not of the kind it has to be, such as a text where a list belongs. What is missing is not told here.
 * The other checks can rely on the types when this one finds nothing.
 */
export function checkShape(workflow: unknown): readonly ConfigProblem[] {
  validate ??= new Ajv2020({ allErrors: true, strict: false }).compile(shape)
  if (validate(workflow)) return []
  return (validate.errors ?? []).map((error) => ({ path: pathOf(error), message: error.message ?? 'is not valid' }))
}

let validate: ValidateFunction | undefined

const text = { type: 'string' }
const number = { type: 'number' }
const texts = { type: 'array', items: text }
const anyObject = { type: 'object' }
const reaction = { type: 'object', properties: { action: text } }
const onError = { type: 'object', properties: { action: text, retryCount: number, retryDelayMs: number } }
const innerStep = { type: 'object', properties: { type: text, tool: text, arguments: anyObject, onError } }
const step = {
  type: 'object',
  properties: {
    id: text,
    type: text,
    dependsOn: texts,
    condition: text,
    timeoutMs: number,
    onError,
    defaultResults: anyObject,
    tool: text,
    arguments: anyObject,
    message: text,
    schema: anyObject,
    onDecline: reaction,
    onCancel: reaction,
    collection: text,
    itemVar: text,
    maxParallel: number,
    maxIterations: number,
    step: innerStep,
  },
}
const shape = {
  type: 'object',
  properties: {
    name: text,
    description: text,
    timeoutMs: number,
    steps: { type: 'array', items: step },
    output: { type: 'object', properties: { properties: { $ref: '#/$defs/properties' }, required: texts } },
    annotations: anyObject,
  },
  $defs: {
    properties: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { type: text, description: text, value: text, properties: { $ref: '#/$defs/properties' } },
      },
    },
  },
}

/** `/steps/1/arguments` as `steps[1].arguments`. */
function pathOf({ instancePath }: ErrorObject): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}
