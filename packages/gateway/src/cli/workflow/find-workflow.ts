import { InvalidInput, type Workflow } from '@vmcp/domain'
import type { GatewayConfig } from '../../config/gateway-config.js'

/** The composite tool of that name. Throws `InvalidInput` with the names there are. */
export function findWorkflow(config: GatewayConfig, name: string): Workflow {
  const workflow = config.compositeTools.find((tool) => tool.name === name)
  if (workflow !== undefined) return workflow
  const names = config.compositeTools.map((tool) => tool.name)
  const there = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  throw new InvalidInput(`no composite tool "${name}" in ${config.file}: ${there}`)
}
