import { expect } from 'vitest'

import { failureOf, lookupVerbs, usingVerbs } from './verbs.js'
import { itWith } from './with-subject.js'
import type { MakeSubject } from './with-subject.js'

/** What is refused stays unreachable, and does not show that it exists. */
export function refusals(make: MakeSubject): void {
  itWith(make, 'lists nothing that is refused', async ({ vmcp, identity, refused }) => {
    expect((await vmcp.listTools(identity)).map(({ name }) => name)).not.toContain(refused.tool)
    expect((await vmcp.listResources(identity)).map(({ uri }) => uri)).not.toContain(refused.resource)
    expect((await vmcp.listPrompts(identity)).map(({ name }) => name)).not.toContain(refused.prompt)
  })

  for (const { verb, kind, run } of usingVerbs) {
    itWith(make, `${verb} answers a refused ${kind} and a refused missing one alike`, async (subject) => {
      const { refused, refusedMissing } = subject
      const existing = await failureOf(run(subject, refused[kind]), refused[kind])
      const missing = await failureOf(run(subject, refusedMissing[kind]), refusedMissing[kind])
      expect(existing).toEqual(missing)
      expect(['AuthorizationDenied', 'NotFound']).toContain(existing.tag)
      expect(subject.reached()).toBe(0)
    })

    itWith(make, `${verb} answers NotFound for a missing ${kind}`, async (subject) => {
      const { missing } = subject
      expect(await failureOf(run(subject, missing[kind]), missing[kind])).toMatchObject({ tag: 'NotFound' })
      expect(subject.reached()).toBe(0)
    })
  }

  for (const { verb, kind, run } of lookupVerbs) {
    itWith(make, `${verb} answers NotFound for a refused and for a missing ${kind}, alike`, async (subject) => {
      const { refused, missing } = subject
      const existing = await failureOf(run(subject, refused[kind]), refused[kind])
      const absent = await failureOf(run(subject, missing[kind]), missing[kind])
      expect(existing.tag).toBe('NotFound')
      expect(existing).toEqual(absent)
    })
  }

  itWith(make, 'completes nothing for a missing reference', async ({ vmcp, identity, missing }) => {
    const argument = { name: 'a', value: '' }
    const ref = { type: 'ref/prompt', name: missing.prompt } as const
    expect((await vmcp.complete(identity, { ref, argument })).values).toEqual([])
  })

  itWith(make, 'completes nothing for a refused reference', async (subject) => {
    const { vmcp, identity, refused } = subject
    const argument = { name: 'a', value: '' }
    const ref = { type: 'ref/prompt', name: refused.prompt } as const
    const values = await vmcp.complete(identity, { ref, argument }).then(
      (result) => result.values,
      () => [],
    )
    expect(values).toEqual([])
    expect(subject.reached()).toBe(0)
  })
}
