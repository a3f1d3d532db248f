import type { Workflow, WorkflowOutput, WorkflowStep } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { parseTemplate } from './template/template.js'
import { toolReferences } from './tool/tool-references.js'

/** What a workflow will do, as data: for people who write one. */
export interface WorkflowPlan {
  /** The workflow's name. */
  readonly workflow: string
  /** In the order of the definition. */
  readonly steps: readonly PlannedStep[]
  /** Step ids by the earliest time they can start: those of one group can run in parallel. */
  readonly groups: readonly (readonly string[])[]
  /** The tools it uses, as it refers to them. */
  readonly tools: readonly string[]
  /** What the templates of the output read. */
  readonly output: readonly TemplateReads[]
  /** What runs but is probably not meant. */
  readonly warnings: readonly PlanWarning[]
}

/** One step of a plan. */
export interface PlannedStep {
  /** Its id in the workflow. */
  readonly id: string
  /** What it does: `tool`, `elicitation` or `forEach`. */
  readonly type: WorkflowStep['type']
  /** The tool it calls, once or for each item. */
  readonly tool?: string
  /** Ids of the steps that must end first; empty when it starts at once. */
  readonly dependsOn: readonly string[]
  /** Present when it may be skipped. */
  readonly condition?: string
  /** What happens when it fails. */
  readonly onError: 'abort' | 'continue' | 'retry'
  /** What its templates read. */
  readonly reads: readonly TemplateReads[]
}

/** A template and the paths it reads, such as `['steps', 'fetch', 'output', 'url']`. */
export interface TemplateReads {
  /** Where it stands, relative to the step or the workflow, such as `arguments.title`. */
  readonly place: string
  /** Each path once, from the root of the template data. */
  readonly paths: readonly (readonly string[])[]
}

/** A template that reads a step which does not exist, or which need not have ended by then. */
export interface PlanWarning {
  /** The step whose template it is, by id. */
  readonly stepId: string
  /** Where the template stands, relative to the step, such as `arguments.title`. */
  readonly place: string
  /** The path it reads, such as `['steps', 'fetch', 'output']`. */
  readonly reads: readonly string[]
  /** `unknown-step`: there is no such step; `not-a-dependency`: it need not have ended by then. */
  readonly reason: 'unknown-step' | 'not-a-dependency'
}

/** Plans a valid workflow. A template that does not parse reads nothing. */
export function planWorkflow(workflow: Workflow): WorkflowPlan {
  const steps = workflow.steps.map(planStep)
  return {
    workflow: workflow.name,
    steps,
    groups: groupSteps(workflow.steps),
    tools: toolReferences(workflow),
    output: outputReads(workflow.output?.properties ?? {}, 'output.properties'),
    warnings: findWarnings(steps),
  }
}

function planStep(step: WorkflowStep): PlannedStep {
  const tool = step.type === 'tool' ? step.tool : step.type === 'forEach' ? step.step.tool : undefined
  return {
    id: step.id,
    type: step.type,
    ...(tool !== undefined && { tool }),
    dependsOn: step.dependsOn ?? [],
    ...(step.condition !== undefined && step.condition !== '' && { condition: step.condition }),
    onError: step.onError?.action ?? 'abort',
    reads: stepReads(step),
  }
}

function stepReads(step: WorkflowStep): readonly TemplateReads[] {
  const condition = readsOf(step.condition, 'condition')
  switch (step.type) {
    case 'tool':
      return [...condition, ...readsOf(step.arguments, 'arguments')]
    case 'elicitation':
      return [...condition, ...readsOf(step.message, 'message')]
    case 'forEach':
      return [
        ...condition,
        ...readsOf(step.collection, 'collection'),
        ...readsOf(step.step.arguments, 'step.arguments'),
      ]
  }
}

function outputReads(properties: WorkflowOutput['properties'], place: string): readonly TemplateReads[] {
  return Object.entries(properties).flatMap(([name, property]) => [
    ...readsOf(property.value, `${place}.${name}`),
    ...outputReads(property.properties ?? {}, `${place}.${name}.properties`),
  ])
}

function readsOf(value: unknown, place: string): readonly TemplateReads[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => readsOf(item, `${place}[${index}]`))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, item]) => readsOf(item, `${place}.${key}`))
  if (typeof value !== 'string') return []
  const paths = distinct(referencesOf(value))
  return paths.length === 0 ? [] : [{ place, paths }]
}

function distinct(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
}

function referencesOf(source: string): readonly (readonly string[])[] {
  try {
    return parseTemplate(source).references
  } catch {
    return []
  }
}

/** A step is one group after the last of its dependencies. */
function groupSteps(steps: readonly WorkflowStep[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  const placed = new Set<string>()
  let left = steps
  while (left.length > 0) {
    const ready = left.filter((step) => (step.dependsOn ?? []).every((id) => placed.has(id)))
    if (ready.length === 0) break
    groups.push(ready.map(({ id }) => id))
    for (const { id } of ready) placed.add(id)
    left = left.filter(({ id }) => !placed.has(id))
  }
  return groups
}

function findWarnings(steps: readonly PlannedStep[]): readonly PlanWarning[] {
  const before = ancestors(steps)
  return steps.flatMap((step) =>
    step.reads.flatMap(({ place, paths }) =>
      paths.flatMap((reads): readonly PlanWarning[] => {
        const [root, stepId] = reads
        if (root !== 'steps' || stepId === undefined) return []
        if (!before.has(stepId)) return [{ stepId: step.id, place, reads, reason: 'unknown-step' }]
        if (before.get(step.id)?.has(stepId) === true) return []
        return [{ stepId: step.id, place, reads, reason: 'not-a-dependency' }]
      }),
    ),
  )
}

/** The steps that have ended when a step starts, by its id. */
function ancestors(steps: readonly PlannedStep[]): ReadonlyMap<string, ReadonlySet<string>> {
  const dependencies = new Map(steps.map(({ id, dependsOn }) => [id, dependsOn]))
  return new Map(
    steps.map(({ id }) => {
      const found = new Set<string>()
      const open = [...(dependencies.get(id) ?? [])]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (found.has(next)) continue
        found.add(next)
        open.push(...(dependencies.get(next) ?? []))
      }
      return [id, found]
    }),
  )
}
