import { afterEach, describe, expect, it } from 'vitest'
import { startFixtureGateway, type FixtureGateway } from './fixture-gateway.js'
import { runSuite } from './suite.js'

describe("the official suite's active scenarios against the gateway", () => {
  let gateway: FixtureGateway | undefined

  afterEach(() => gateway?.close())

  // `nx run e2e:conformance-released` runs this with the suite that npm gives to those who ask for no version.
  it('pass', async () => {
    gateway = await startFixtureGateway('both')
    const run = await runSuite(['server', '--url', gateway.url, '--suite', 'active'])
    expect(run, run.output).toMatchObject({ code: 0, failed: [] })
    expect(run.scenarios).toBeGreaterThanOrEqual(30)
  })
})
