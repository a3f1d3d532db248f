import { expect } from 'vitest'

import { deepFreeze } from '../deep-freeze.js'
import { usingVerbs } from './verbs.js'
import { itWith } from './with-subject.js'
import type { MakeSubject } from './with-subject.js'

/** Requests are read-only, results name their backend, and callers do not disturb each other. */
export function data(make: MakeSubject): void {
  itWith(make, 'leaves requests as they were', async ({ vmcp, identity, allowed, toolArguments = {} }) => {
    const meta = { 'acme/trace': { id: 't' } }
    const call = deepFreeze(structuredClone({ name: allowed.tool, arguments: toolArguments, meta }))
    const reading = deepFreeze(structuredClone({ uri: allowed.resource, meta }))
    const getting = deepFreeze(structuredClone({ name: allowed.prompt, arguments: {}, meta }))
    await expect(vmcp.callTool(identity, call)).resolves.toBeDefined()
    await expect(vmcp.readResource(identity, reading)).resolves.toBeDefined()
    await expect(vmcp.getPrompt(identity, getting)).resolves.toBeDefined()
  })

  itWith(make, 'gives lists that a caller cannot use to change those of another', async ({ vmcp, identity }) => {
    const before = structuredClone(await vmcp.listTools(identity))
    const list = await vmcp.listTools(identity)
    try {
      Array.prototype.splice.call(list, 0, list.length)
    } catch {
      // a frozen list is as good
    }
    expect(await vmcp.listTools(identity)).toEqual(before)
  })

  for (const { verb, kind, run } of usingVerbs) {
    itWith(make, `${verb} names the backend that answered`, async (subject) => {
      if (subject.showsBackends === false) return
      expect(await run(subject, subject.allowed[kind])).toMatchObject({ backendId: expect.any(String) })
    })
  }

  itWith(make, 'serves many callers at once as it serves one', async (subject) => {
    const uses = (): Promise<unknown[]> =>
      Promise.all([
        ...usingVerbs.map(({ kind, run }) => run(subject, subject.allowed[kind])),
        subject.vmcp.listTools(subject.identity),
      ])
    const alone = await uses()
    const together = await Promise.all(Array.from({ length: 20 }, uses))
    for (const answers of together) expect(answers).toEqual(alone)
  })
}
