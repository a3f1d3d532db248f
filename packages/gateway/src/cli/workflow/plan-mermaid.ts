import type { PlannedStep } from '@vmcp/composer'
import { toolStateOf, type PlanReport } from './plan-report.js'

/**
 * A plan as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html). Arrows into a step that may be skipped are
 * dotted; a step whose tool is not there is marked.
 */
export function planMermaid(report: PlanReport): string {
  const { plan } = report
  const nodes = new Map(plan.steps.map((step, index) => [step.id, `s${index}`]))
  const needed = new Set(plan.steps.flatMap(({ dependsOn }) => dependsOn))
  const last = plan.steps.filter(({ id }) => !needed.has(id))
  const broken = plan.steps.filter((step) => isBroken(report, step)).flatMap(({ id }) => nodes.get(id) ?? [])
  const lines = [
    `start([${label(plan.workflow)}])`,
    ...plan.steps.map((step) => `${nodes.get(step.id)}${shape(step)}`),
    'result([result])',
    ...plan.steps.flatMap((step) => arrows(step, nodes)),
    ...last.map(({ id }) => `${nodes.get(id)} --> result`),
    ...(broken.length === 0
      ? []
      : [`classDef missing stroke:#c00,stroke-dasharray:4`, `class ${broken.join(',')} missing`]),
  ]
  return ['flowchart TD', ...lines.map((line) => `  ${line}`)].join('\n')
}

function isBroken(report: PlanReport, step: PlannedStep): boolean {
  const state = toolStateOf(report, step)?.state
  return state === 'missing' || state === 'unavailable'
}

function shape(step: PlannedStep): string {
  const condition = step.condition === undefined ? [] : [`if ${step.condition}`]
  switch (step.type) {
    case 'elicitation':
      return `{{${label(step.id, 'asks the user', ...condition)}}}`
    case 'forEach':
      return `[[${label(step.id, `${step.tool} for each item`, ...condition)}]]`
    case 'tool':
      return `[${label(step.id, step.tool ?? '', ...condition)}]`
  }
}

function arrows(step: PlannedStep, nodes: ReadonlyMap<string, string>): readonly string[] {
  const arrow = step.condition === undefined ? '-->' : '-.->'
  const before = step.dependsOn.length === 0 ? ['start'] : step.dependsOn.map((id) => nodes.get(id) ?? 'start')
  return before.map((node) => `${node} ${arrow} ${nodes.get(step.id)}`)
}

/** A quoted label. Characters that mean something to Mermaid or HTML are written by their number. */
function label(...lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    line.replaceAll(/["#&<>`\\]/g, (character) => `#${character.charCodeAt(0)};`).replaceAll(/\s+/g, ' '),
  )
  return `"${escaped.join('<br/>')}"`
}
