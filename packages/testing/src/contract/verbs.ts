import { isVmcpError } from '@vmcp/domain'
import { expect } from 'vitest'

import { rejection } from '../rejection.js'
import type { ContractNames, ContractSubject } from './contract-subject.js'

/** One verb that names a capability, so that a claim can be made of all of them. */
export interface NamingVerb {
  readonly verb: string
  /** Which of the names it takes. */
  readonly kind: keyof ContractNames
  run(subject: ContractSubject, name: string): Promise<unknown>
}

/** `callTool`, `readResource` and `getPrompt`. */
export const usingVerbs: readonly NamingVerb[] = [
  {
    verb: 'callTool',
    kind: 'tool',
    run: ({ vmcp, identity, toolArguments = {} }, name) => vmcp.callTool(identity, { name, arguments: toolArguments }),
  },
  { verb: 'readResource', kind: 'resource', run: ({ vmcp, identity }, uri) => vmcp.readResource(identity, { uri }) },
  { verb: 'getPrompt', kind: 'prompt', run: ({ vmcp, identity }, name) => vmcp.getPrompt(identity, { name }) },
]

/** `lookupTool`, `lookupResource` and `lookupPrompt`. */
export const lookupVerbs: readonly NamingVerb[] = [
  { verb: 'lookupTool', kind: 'tool', run: ({ vmcp, identity }, name) => vmcp.lookupTool(identity, name) },
  { verb: 'lookupResource', kind: 'resource', run: ({ vmcp, identity }, uri) => vmcp.lookupResource(identity, uri) },
  { verb: 'lookupPrompt', kind: 'prompt', run: ({ vmcp, identity }, name) => vmcp.lookupPrompt(identity, name) },
]

/** What a caller can tell of a failure, with the name it asked for taken out. */
export async function failureOf(promise: Promise<unknown>, name: string): Promise<{ tag: string; text: string }> {
  const error = await rejection(promise)
  if (!isVmcpError(error)) return expect.unreachable(`not a VmcpError: ${String(error)}`)
  const seen = JSON.stringify({ ...error, message: error.message, cause: undefined })
  return { tag: error._tag, text: seen.replaceAll(JSON.stringify(name).slice(1, -1), '<name>') }
}
