import type { Finding, Tool } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

import type { AggregationConfig } from '../../core-config.js'
import type { Claim } from '../claim.js'
import type { Kept } from '../conflicts/unique.js'
import { checkSchema } from './check-schema.js'
import { repairInputSchema } from './repair-schema.js'

/** What to do with a tool whose schema is not valid. */
export type InvalidSchemaPolicy = NonNullable<AggregationConfig['invalidSchemas']>

/**
 * The tools whose schemas clients can use, untouched; the others by `policy`. A tool with unusable header annotations
 * (2026-07-28) and one that wants to be called as a task (2025-11-25) are always left out: no call of them could be made
 * right.
 */
export function checkTools(claims: readonly Claim[], policy: InvalidSchemaPolicy): Kept<Claim> {
  const findings: Finding[] = []
  const kept: Claim[] = []
  for (const claim of claims) {
    const problem = findToolProblem(claim.item)
    if (problem === undefined) {
      kept.push(claim)
      continue
    }
    const fate = problem.isFinal ? 'drop' : policy
    if (fate !== 'drop') kept.push(fate === 'pass' ? claim : { ...claim, item: repair(claim.item) })
    findings.push({
      reason: problem.reason ?? 'invalid-schema',
      kind: 'tool',
      subject: claim.ownName,
      backendId: claim.backendId,
      message: `${problem.text}; the tool is ${fates[fate]}`,
    })
  }
  return { kept, findings }
}

const fates = { drop: 'left out', repair: 'served with a repaired schema', pass: 'passed on as it is' } as const

interface ToolProblem {
  readonly text: string
  /** True when no policy helps. */
  readonly isFinal: boolean
  readonly reason?: 'unsupported'
}

function findToolProblem(tool: Tool): ToolProblem | undefined {
  if (isJsonObject(tool.execution) && tool.execution['taskSupport'] === 'required') {
    return { text: 'it can only be called as a task, and tasks are not relayed', isFinal: true, reason: 'unsupported' }
  }
  const input = checkSchema('inputSchema', tool.inputSchema)
  if (input.problem !== undefined) return { text: `its inputSchema ${input.problem}`, isFinal: false }
  if (input.headerProblem !== undefined) return { text: `its inputSchema ${input.headerProblem}`, isFinal: true }
  if (tool.outputSchema === undefined) return undefined
  const output = checkSchema('outputSchema', tool.outputSchema)
  return output.problem === undefined ? undefined : { text: `its outputSchema ${output.problem}`, isFinal: false }
}

/** An output schema that cannot be used is left out: it is optional. */
function repair(tool: Tool): Tool {
  const { outputSchema, ...rest } = tool
  const isOutputFine = outputSchema !== undefined && checkSchema('outputSchema', outputSchema).problem === undefined
  const isInputFine = checkSchema('inputSchema', tool.inputSchema).problem === undefined
  return {
    ...rest,
    name: tool.name,
    inputSchema: isInputFine ? tool.inputSchema : repairInputSchema(tool.inputSchema),
    ...(isOutputFine ? { outputSchema } : {}),
  }
}
