import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runSuite } from './suite.js'

const command = `"${process.execPath}" "${fileURLToPath(new URL('client-command.mjs', import.meta.url))}"`

/** Every scenario for clients but those for authorization: the gateway runs no OAuth flow towards backends. */
const scenarios = {
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'json-schema-2020-12-preservation',
  ],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
  ],
} as const

/** Where the gateway does for its caller what a client of the backend's era does for itself. */
const acrossEras = [
  { revision: '2025-11-25', caller: '2026', scenario: 'elicitation-sep1034-client-defaults' },
  { revision: '2025-11-25', caller: '2026', scenario: 'sse-retry' },
  { revision: '2026-07-28', caller: '2025', scenario: 'sep-2322-client-request-state' },
  { revision: '2026-07-28', caller: '2025', scenario: 'http-standard-headers' },
  { revision: '2026-07-28', caller: '2025', scenario: 'http-custom-headers' },
  { revision: '2026-07-28', caller: '2025', scenario: 'http-invalid-tool-headers' },
] as const

const legs = [
  ...Object.entries(scenarios).flatMap(([revision, names]) =>
    names.map((scenario) => ({ revision, caller: revision.slice(0, 4), scenario })),
  ),
  ...acrossEras,
]

describe("the official suite against the gateway's backend client", () => {
  it.concurrent.each(legs)(
    'passes $scenario of $revision for a $caller caller',
    async ({ revision, caller, scenario }) => {
      const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision]
      const run = await runSuite(args, { CONFORMANCE_CALLER: caller })
      expect(run, run.output).toMatchObject({ code: 0, scenarios: 1, failed: [] })
      expect(run.passed).toBeGreaterThan(0)
    },
  )
})
