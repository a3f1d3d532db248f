import type { ConfigProblem, OutputProperty, WorkflowOutput, WorkflowStep } from '@vmcp/domain'
import { parseTemplate } from '../template/template.js'

/** A template and where it stands. */
interface PlacedTemplate {
  readonly source: string
  readonly place: string
  /** The step it belongs to; none for the output. */
  readonly stepId?: string
}

/**
 * A step that may be skipped needs a default for each field of its output that something else reads.
 * Read are conditions, first-level arguments, messages and output values, as ToolHive does.
 */
export function checkDefaultResults(
  steps: readonly WorkflowStep[],
  output: WorkflowOutput | undefined,
): readonly ConfigProblem[] {
  const templates = [...stepTemplates(steps), ...outputTemplates(output?.properties ?? {}, 'output.properties')]
  const read = templates.flatMap((template) =>
    outputFields(template.source).map((field) => ({ ...field, reader: template })),
  )
  return steps.flatMap((step, index) => {
    if (!step.condition && step.onError?.action !== 'continue') return []
    const given = step.defaultResults ?? {}
    const missing = read.filter(
      ({ stepId, field, reader }) => stepId === step.id && reader.stepId !== step.id && !Object.hasOwn(given, field),
    )
    return firstOfEach(missing).map(({ field, reader }) => ({
      path: `steps[${index}].defaultResults[${field}]`,
      message: `is required: step "${step.id}" may be skipped and field "${field}" is referenced by ${reader.place}`,
    }))
  })
}

function* stepTemplates(steps: readonly WorkflowStep[]): Iterable<PlacedTemplate> {
  for (const step of steps) {
    const stepId = step.id
    if (step.condition) yield { source: step.condition, place: `condition of step "${stepId}"`, stepId }
    if (step.type === 'elicitation' && step.message) {
      yield { source: step.message, place: `message of step "${stepId}"`, stepId }
    }
    if (step.type !== 'tool') continue
    for (const [key, value] of Object.entries(step.arguments ?? {})) {
      if (typeof value === 'string') yield { source: value, place: `argument "${key}" of step "${stepId}"`, stepId }
    }
  }
}

function* outputTemplates(
  properties: Readonly<Record<string, OutputProperty>>,
  path: string,
): Iterable<PlacedTemplate> {
  for (const [name, property] of Object.entries(properties)) {
    if (property.value) yield { source: property.value, place: `${path}.${name}` }
    yield* outputTemplates(property.properties ?? {}, `${path}.${name}.properties`)
  }
}

/**
 * The `.steps.<id>.output.<field>` that a template reads in so many words: a file that loads in ToolHive loads here. One
 * that does not parse is another check's matter.
 */
function outputFields(source: string): readonly { readonly stepId: string; readonly field: string }[] {
  try {
    return parseTemplate(source).fields.flatMap(([root, stepId, part, field]) =>
      root === 'steps' && stepId !== undefined && part === 'output' && field !== undefined ? [{ stepId, field }] : [],
    )
  } catch {
    return []
  }
}

function firstOfEach<Read extends { readonly field: string }>(reads: readonly Read[]): readonly Read[] {
  return reads.filter(({ field }, index) => reads.findIndex((other) => other.field === field) === index)
}
