import { describe } from 'vitest'

import { cancellation } from './cancellation.js'
import type { ContractSubject } from './contract-subject.js'
import { data } from './data.js'
import { lists } from './lists.js'
import { refusals } from './refusals.js'

/**
 * The contract of `VMCP` as tests. The core, every decorator and the wire must pass it.
 * `make` builds a subject that no other test uses.
 */
export function describeVmcpContract(name: string, make: () => Promise<ContractSubject>): void {
  describe(`${name} keeps the VMCP contract`, () => {
    describe('lists and lookups', () => lists(make))
    describe('refusals', () => refusals(make))
    describe('data', () => data(make))
    describe('cancellation and close', () => cancellation(make))
  })
}
