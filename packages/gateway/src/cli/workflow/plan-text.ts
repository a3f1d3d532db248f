import type { PlannedStep, PlanWarning, TemplateReads } from '@vmcp/composer'
import { toolStateOf, type PlanReport, type Standing } from './plan-report.js'
import type { ToolState } from './tool-state.js'

/** A plan as lines of text: steps by the time they can start, what each calls and reads, and what is wrong. */
export function planText(report: PlanReport): string {
  const { plan, description, standing } = report
  const steps = new Map(plan.steps.map((step) => [step.id, step]))
  const groups = plan.groups.map((ids) => ids.flatMap((id) => steps.get(id) ?? []))
  return [
    plan.workflow,
    `  ${description}`,
    ...(standing === undefined ? [] : [`  ${describeStanding(standing)}`]),
    '',
    ...groups.flatMap((group, index) => groupLines(group, index + 1, report)),
    ...outputLines(plan.output),
    ...warningLines(plan.warnings),
  ].join('\n')
}

/** A path that a template reads, as a template has it: `.steps.find.output.url`. */
export function readPath(path: readonly string[]): string {
  return path.map((key) => (/^[\w]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('')
}

function describeStanding({ caller, workflow }: Standing): string {
  if (workflow.state === 'listed') return `For ${caller}: ${workflow.message}.`
  return `For ${caller} it is ${workflow.state}: ${workflow.message}.`
}

function groupLines(group: readonly PlannedStep[], number: number, report: PlanReport): readonly string[] {
  const steps = group.map((step) => stepLines(step, toolStateOf(report, step)))
  const prefix = `  ${number}  `
  const lines = [...(group.length > 1 ? ['in parallel'] : []), ...steps.flat()]
  return lines.map((line, index) => `${index === 0 ? prefix : ' '.repeat(prefix.length)}${line}`)
}

function stepLines(step: PlannedStep, tool: ToolState | undefined): readonly string[] {
  const details = [
    ...(step.dependsOn.length === 0 ? [] : [`after ${step.dependsOn.join(', ')}`]),
    ...(step.condition === undefined ? [] : [`only if ${step.condition}`]),
    ...(tool === undefined || tool.state === 'listed' ? [] : [`${step.tool} is ${tool.state}: ${tool.message}`]),
    ...(step.onError === 'abort' ? [] : [`on error: ${step.onError}`]),
    ...step.reads.map(readLine),
  ]
  return [`${step.id}: ${describeAct(step)}`, ...details.map((detail) => `    ${detail}`)]
}

function describeAct({ type, tool = '' }: PlannedStep): string {
  if (type === 'elicitation') return 'asks the user'
  return type === 'forEach' ? `calls ${tool} for each item` : `calls ${tool}`
}

function readLine({ place, paths }: TemplateReads): string {
  return `${place} reads ${paths.map(readPath).join(', ')}`
}

function outputLines(output: readonly TemplateReads[]): readonly string[] {
  const lines = output.map(({ place, paths }) => readLine({ place: place.replace('output.properties.', ''), paths }))
  return lines.length === 0 ? [] : ['', '  output', ...lines.map((line) => `    ${line}`)]
}

function warningLines(warnings: readonly PlanWarning[]): readonly string[] {
  return warnings.length === 0 ? [] : ['', '  warnings', ...warnings.map((warning) => `    ${describe(warning)}`)]
}

function describe({ stepId, place, reads, reason }: PlanWarning): string {
  const why = {
    'unknown-step': 'there is no such step',
    'not-a-dependency': 'that step need not have ended by then: name it in dependsOn',
  }[reason]
  return `${stepId}: ${place} reads ${readPath(reads)}, but ${why}`
}
