import { validateWorkflow } from '@vmcp/composer'
import type { ConfigProblem, OnError, OutputProperty, Workflow, WorkflowStep } from '@vmcp/domain'
import { defined } from './defined.js'
import { toFilePath } from './file-path.js'
import type { Path } from './locate.js'
import type { ReadFile } from './read-file.js'
import type { CompositeToolSection, OnErrorSection, StepSection } from './sections/composite-tools.js'

/** The composite tools of a file as workflows, and what is wrong with them. */
export interface Workflows {
  readonly workflows: readonly Workflow[]
  readonly problems: readonly ConfigProblem[]
}

/** Turns the `compositeTools` of a file into workflows and checks them. */
export function readWorkflows(file: ReadFile, tools: readonly CompositeToolSection[]): Workflows {
  const problems: ConfigProblem[] = []
  const workflows = tools.map((tool, index): Workflow => {
    const at: Path = ['compositeTools', index]
    problems.push(...misplacedFields(file, tool, at))
    const workflow = toWorkflow(tool)
    for (const { path, message } of validateWorkflow(workflow)) {
      problems.push(file.problem([...at, ...toFilePath(path)], message))
    }
    return workflow
  })
  return { workflows, problems }
}

function toWorkflow(tool: CompositeToolSection): Workflow {
  return defined({
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    timeoutMs: tool.timeout,
    steps: tool.steps.map(toStep),
    output: tool.output && {
      ...defined({ required: tool.output.required }),
      // The composer checks each property: it knows the rules.
      properties: tool.output.properties as Readonly<Record<string, OutputProperty>>,
    },
    annotations: tool.annotations && defined(tool.annotations),
  })
}

function toStep(step: StepSection): WorkflowStep {
  const common = {
    id: step.id,
    dependsOn: step.dependsOn,
    condition: step.condition,
    timeoutMs: step.timeout,
    onError: step.onError && toOnError(step.onError),
    defaultResults: step.defaultResults,
  }
  switch (stepType(step)) {
    case 'tool':
      return defined({ ...common, type: 'tool', tool: step.tool ?? '', arguments: step.arguments })
    case 'elicitation':
      return defined({
        ...common,
        type: 'elicitation',
        message: step.message ?? '',
        schema: step.schema ?? {},
        onDecline: step.onDecline,
        onCancel: step.onCancel,
      })
    case 'forEach':
      return defined({
        ...common,
        type: 'forEach',
        collection: step.collection ?? '',
        itemVar: step.itemVar,
        maxParallel: step.maxParallel || undefined,
        maxIterations: step.maxIterations || undefined,
        step: defined({
          id: step.step?.id,
          tool: step.step?.tool ?? '',
          arguments: step.step?.arguments,
          onError: step.step?.onError && toOnError(step.step.onError),
        }),
      })
  }
}

function toOnError(onError: OnErrorSection): OnError {
  if (onError.action !== 'retry') return { action: onError.action ?? 'abort' }
  return defined({ action: 'retry', retryCount: onError.retryCount ?? 0, retryDelayMs: onError.retryDelay })
}

function stepType(step: StepSection): WorkflowStep['type'] {
  return (
    step.type ??
    (step.collection === undefined
      ? step.tool === undefined && step.message !== undefined
        ? 'elicitation'
        : 'tool'
      : 'forEach')
  )
}

const fieldsOf: Readonly<Record<WorkflowStep['type'], readonly (keyof StepSection)[]>> = {
  tool: ['tool', 'arguments'],
  elicitation: ['message', 'schema', 'onDecline', 'onCancel'],
  forEach: ['collection', 'itemVar', 'maxParallel', 'maxIterations', 'step'],
}

/** Fields of another kind of step: the reference ignores them, and their author would look in vain for an effect. */
function misplacedFields(file: ReadFile, tool: CompositeToolSection, at: Path): readonly ConfigProblem[] {
  return tool.steps.flatMap((step, index) => {
    if (step.type === undefined && step.tool !== undefined && step.message !== undefined) {
      const message = 'cannot have both tool and message fields - use explicit type to clarify intent'
      return [file.problem([...at, 'steps', index], message)]
    }
    const type = stepType(step)
    const others = Object.entries(fieldsOf).flatMap(([other, fields]) => (other === type ? [] : fields))
    const misplaced = others.filter((field) => step[field] !== undefined)
    if (step.type === 'tool' && step.tool !== undefined) return []
    return misplaced.map((field) =>
      file.problem([...at, 'steps', index, field], `${type} step must not have '${field}' field`, 'key'),
    )
  })
}
