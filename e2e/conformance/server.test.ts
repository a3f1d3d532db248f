import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { startFixtureGateway, type FixtureGateway } from './fixture-gateway.js'
import { runSuite } from './suite.js'

/** The optional tasks extension, which the gateway does not offer. The suite runs it and does not score it. */
const isTasks = (check: string) => check.startsWith('tasks-')

/**
 * Every scenario that a revision requires, by the era of the caller and of the backend. A change of the counts is a
 * change of what was proved: look before they are changed.
 */
const legs = [
  { caller: '2025-11-25', backend: 'both', counts: { scenarios: 33, passed: 80 }, expected: 'none' },
  { caller: '2026-07-28', backend: 'both', counts: { scenarios: 50, passed: 164 }, expected: 'none' },
  { caller: '2025-11-25', backend: '2026', counts: { scenarios: 33, passed: 80 }, expected: 'none' },
  {
    caller: '2026-07-28',
    backend: '2025',
    counts: { scenarios: 50, passed: 157 },
    expected: '2026-caller-2025-backend',
  },
] as const

describe('the official suite against the gateway', () => {
  let gateway: FixtureGateway | undefined

  afterEach(() => gateway?.close())

  it.each(legs)('passes for $caller, with a backend of $backend', async ({ caller, backend, counts, expected }) => {
    gateway = await startFixtureGateway(backend)
    const file = fileURLToPath(new URL(`expected-failures/${expected}.yaml`, import.meta.url))
    const run = await runSuite(['server', '--url', gateway.url, '--requirements', caller, '--expected-failures', file])
    expect(run, run.output).toMatchObject({ code: 0, ...counts })
    if (expected === 'none') expect(run.failed.filter((check) => !isTasks(check))).toEqual([])
  })
})
