import { it } from 'vitest'

import type { ContractSubject } from './contract-subject.js'

/** Makes the subjects of one suite. */
export type MakeSubject = () => Promise<ContractSubject>

/** A test with a subject of its own, which is closed afterwards. */
export function itWith(make: MakeSubject, claim: string, test: (subject: ContractSubject) => Promise<void>): void {
  it(claim, async () => {
    const subject = await make()
    try {
      await test(subject)
    } finally {
      await subject.vmcp.close()
    }
  })
}
