import { createVMCP } from '@vmcp/core'
import { InvalidConfig, isJsonObject, type ConfigProblem } from '@vmcp/domain'
import type * as z from 'zod'
import { readCoreSettings } from './core-settings.js'
import { defined } from './defined.js'
import { toFilePath } from './file-path.js'
import type { ReadFile } from './read-file.js'
import { aggregation } from './sections/aggregation.js'
import { incomingAuth } from './sections/auth.js'
import { operational } from './sections/operational.js'

/**
 * What only the core finds wrong, such as a policy that does not parse, at its place in the file.
 * Each section that has the right shape is checked, so that this is told together with what is wrong in the others.
 */
export function coreProblems(file: ReadFile): readonly ConfigProblem[] {
  const data = isJsonObject(file.data) ? file.data : {}
  const settings = readCoreSettings(
    defined({
      name: 'any',
      incomingAuth: read(incomingAuth, data['incomingAuth']),
      aggregation: read(aggregation, data['aggregation']),
      operational: read(operational, data['operational']),
    }),
  )
  try {
    void createVMCP({ ...settings, backends: [] }).close()
    return []
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error
    return error.problems.map(({ path, message }) => file.problem(toFilePath(path), message))
  }
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : undefined
}
