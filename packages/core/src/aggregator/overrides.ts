import type { Finding, Tool } from '@vmcp/domain'

import type { BackendToolConfig, ToolOverride } from '../core-config.js'
import type { Claim } from './claim.js'

/**
 * The tools of one backend with their overrides applied, keyed by the backend's own names.
 * Each override is judged by itself; schemas and the fields that it does not name stay.
 */
export function applyOverrides(
  backendId: string,
  tools: readonly Tool[],
  config: BackendToolConfig | undefined,
): { readonly claims: readonly Claim[]; readonly findings: readonly Finding[] } {
  const overrides = new Map(Object.entries(config?.overrides ?? {}))
  const findings: Finding[] = []
  for (const [subject, override] of overrides) {
    if (!isEmpty(override)) continue
    overrides.delete(subject)
    findings.push({
      reason: 'invalid-override',
      kind: 'tool',
      subject,
      backendId,
      message: `the override of "${subject}" changes neither name, description nor annotations`,
    })
  }
  const claims = tools.map((tool): Claim => {
    const override = overrides.get(tool.name)
    if (override === undefined) {
      return { backendId, ownName: tool.name, name: tool.name, overridden: false, item: tool }
    }
    const name = override.name || tool.name
    if (name !== tool.name) {
      findings.push({
        reason: 'renamed',
        kind: 'tool',
        subject: tool.name,
        backendId,
        message: `an override renames "${tool.name}" to "${name}"`,
      })
    }
    return { backendId, ownName: tool.name, name, overridden: true, item: overrideTool(tool, override) }
  })
  return { claims, findings }
}

function isEmpty(override: ToolOverride): boolean {
  return !override.name && !override.description && Object.keys(override.annotations ?? {}).length === 0
}

/** An overridden title is also the tool's own title when it has one: clients show that first. */
function overrideTool(tool: Tool, override: ToolOverride): Tool {
  const title = override.annotations?.title
  return {
    ...tool,
    ...(override.description ? { description: override.description } : {}),
    ...(override.annotations === undefined ? {} : { annotations: { ...tool.annotations, ...override.annotations } }),
    ...(title === undefined || tool.title === undefined ? {} : { title }),
  }
}
