import { toolReferences, workflowTool } from '@vmcp/composer'
import { ToolNameConflict } from '@vmcp/domain'
import type { Finding, Tool, ToolAnnotations, Workflow } from '@vmcp/domain'

import type { View } from '../aggregator/view.js'
import { resolveToolReference } from '../router/resolve-tool-reference.js'

/** The composite tools that a view can run, and why others are missing. */
export interface OfferedComposites {
  readonly tools: readonly Tool[]
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly findings: readonly Finding[]
}

/**
 * One gate for list, lookup and call. A workflow is offered when every tool of its steps exists in the view, hidden ones
 * included, and when its own hints do not look safer than its steps. A name that an advertised backend tool bears drops
 * all of them: none may stand for a tool that the operator believes to be another.
 */
export function offeredComposites(view: View, workflows: readonly Workflow[]): OfferedComposites {
  const gates = workflows.map((workflow) => gate(view, workflow))
  const reachable = gates.filter((gated) => gated.outcome !== 'unreachable')
  const taken = reachable.map(({ workflow }) => workflow.name).filter((name) => view.tools.get(name)?.hidden === false)
  if (taken.length > 0) {
    const { message } = new ToolNameConflict(taken)
    const findings = reachable.map(({ workflow }) => dropped(workflow, `no composite tool is offered: ${message}`))
    return { tools: [], workflows: new Map(), findings: [...missing(gates), ...findings] }
  }
  const offered = gates.filter((gated) => gated.outcome === 'offered')
  return {
    tools: offered.map(({ tool }) => tool),
    workflows: new Map(offered.map(({ workflow }) => [workflow.name, workflow])),
    findings: missing(gates),
  }
}

type Gated =
  | { readonly workflow: Workflow; readonly outcome: 'offered'; readonly tool: Tool }
  | { readonly workflow: Workflow; readonly outcome: 'unreachable' | 'contradiction'; readonly why: string }

function gate(view: View, workflow: Workflow): Gated {
  const absent = toolReferences(workflow).filter((reference) => resolveToolReference(view, reference) === undefined)
  if (absent.length > 0) {
    return {
      workflow,
      outcome: 'unreachable',
      why: `no backend offers ${absent.map((name) => `"${name}"`).join(', ')}`,
    }
  }
  const advertised = workflowTool(workflow, (reference) => hintsOf(view, reference))
  if (advertised.type === 'tool') return { workflow, outcome: 'offered', tool: advertised.tool }
  const why = `its ${advertised.hint} looks safer than its steps: ${advertised.tools.join(', ')}`
  return { workflow, outcome: 'contradiction', why }
}

/** The hints of a step's tool. Those of a hidden tool count as unknown: clients cannot see them either. */
function hintsOf(view: View, reference: string): ToolAnnotations | undefined {
  const routed = resolveToolReference(view, reference)
  return routed === undefined || routed.hidden ? undefined : routed.item.annotations
}

function missing(gates: readonly Gated[]): readonly Finding[] {
  return gates.flatMap((gated) =>
    gated.outcome === 'offered'
      ? []
      : [dropped(gated.workflow, `composite tool "${gated.workflow.name}" is not offered: ${gated.why}`)],
  )
}

function dropped({ name }: Workflow, message: string): Finding {
  return { reason: 'composite-dropped', kind: 'tool', subject: name, message }
}
