import { WorkflowFailed } from '@vmcp/domain'
import type { JsonObject, Workflow } from '@vmcp/domain'
import { compileSchema } from './json-schema.js'
import type { SchemaCheck, SchemaViolation } from './json-schema.js'
import { messageOf } from './run/step-failure.js'

/** The checks of workflows seen so far. A workflow is a value: its schema is compiled once. */
const checks = new WeakMap<Workflow, SchemaCheck>()

/**
 * The arguments with the defaults of `parameters`, or the error that names the field and the rule they break, and no value.
 * An explicit null counts as given; the caller's object is not changed.
 */
export function applyParameters(workflow: Workflow, given: JsonObject = {}): JsonObject | WorkflowFailed {
  if (workflow.parameters === undefined) return given
  const params = copy(given)
  if (params === undefined) return refuse(workflow, { field: '', rule: 'type', message: 'must be JSON' })
  const violation = checkOf(workflow)(params)
  return violation === undefined ? params : refuse(workflow, violation)
}

function refuse(workflow: Workflow, { field, rule, message }: SchemaViolation): WorkflowFailed {
  return new WorkflowFailed(
    workflow.name,
    { _tag: 'InvalidArguments', field, rule },
    `invalid arguments: ${field === '' ? 'the whole' : `"${field}"`} ${message} (${rule})`,
  )
}

/** Undefined for what cannot be copied, such as a function or a getter that throws. */
function copy(given: JsonObject): JsonObject | undefined {
  try {
    return structuredClone(given)
  } catch {
    return undefined
  }
}

function checkOf(workflow: Workflow): SchemaCheck {
  const known = checks.get(workflow)
  if (known !== undefined) return known
  const check = compile(workflow)
  checks.set(workflow, check)
  return check
}

/** A schema that cannot be used refuses everything; `validateWorkflow` finds it before. */
function compile({ parameters = {} }: Workflow): SchemaCheck {
  try {
    return compileSchema(parameters)
  } catch (error) {
    const violation: SchemaViolation = {
      field: '',
      rule: 'schema',
      message: `has no usable schema: ${messageOf(error)}`,
    }
    return () => violation
  }
}
