import { planWorkflow, type WorkflowPlan } from '@vmcp/composer'
import { silentLogger, type Identity } from '@vmcp/domain'
import type { GatewayConfig } from '../../config/gateway-config.js'
import { loadConfig } from '../../config/load.js'
import { createGatewayCore } from '../../gateway.js'
import type { Terminal } from '../terminal.js'
import { describeCaller, findCaller, type CallerOptions } from './caller.js'
import { findWorkflow } from './find-workflow.js'
import { planMermaid } from './plan-mermaid.js'
import type { PlanReport, Standing } from './plan-report.js'
import { planText } from './plan-text.js'
import { findToolState } from './tool-state.js'

/** Which composite tool of which file. */
export interface WorkflowTarget {
  readonly file: string
  readonly name: string
}

/** The options of `vmcp workflow plan`. */
export interface PlanOptions extends CallerOptions {
  readonly offline?: boolean
  /** Text and the diagram when absent. */
  readonly format?: 'text' | 'mermaid' | 'json'
}

/** Milliseconds that the backends get to tell what they offer. */
const askMs = 60_000

/** `vmcp workflow plan`: shows what a composite tool will do. It calls no tool; the backends are asked what they offer. */
export async function planCommand(target: WorkflowTarget, options: PlanOptions, terminal: Terminal): Promise<void> {
  const config = await loadConfig(target.file, terminal.environment)
  const workflow = findWorkflow(config, target.name)
  const identity = await findCaller(config, options)
  const plan = planWorkflow(workflow)
  const standing = options.offline === true ? undefined : await findStanding(config, { identity, plan }, terminal)
  const report: PlanReport = { plan, description: workflow.description, ...(standing !== undefined && { standing }) }
  terminal.out(format(report, options.format))
}

function format(report: PlanReport, format: PlanOptions['format']): string {
  switch (format) {
    case 'text':
      return planText(report)
    case 'mermaid':
      return planMermaid(report)
    case 'json':
      return JSON.stringify(report, undefined, 2)
    case undefined:
      return `${planText(report)}\n\n\`\`\`mermaid\n${planMermaid(report)}\n\`\`\``
  }
}

/** Connects the backends, asks, and closes them again. */
async function findStanding(
  config: GatewayConfig,
  { identity, plan }: { readonly identity: Identity | null; readonly plan: WorkflowPlan },
  terminal: Terminal,
): Promise<Standing> {
  const stopped = new AbortController()
  void terminal.untilStopped().then(() => stopped.abort())
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(askMs)])
  const vmcp = createGatewayCore(config, { logger: silentLogger })
  try {
    const report = await vmcp.report(identity, { signal })
    for (const { reason, subject, message } of report.findings) {
      if (reason === 'backend-failed') terminal.error(`  ✗ ${subject}: ${message}`)
    }
    const find = (reference: string) => findToolState(vmcp, identity, { reference, signal })
    return {
      caller: describeCaller(identity),
      workflow: await find(plan.workflow),
      tools: await Promise.all(plan.tools.map(find)),
    }
  } finally {
    await vmcp.close()
  }
}
