// What the conformance suite starts for each client scenario, with the URL of its server as the last argument: a
// gateway with that server as its only backend, and a client of the SDK in front of it. What the suite's server sees
// is the gateway's backend client. Ends with the client's exit code.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runConformanceClient } from '@vmcp/sdk-adapter/testing'
import { frontOf } from './front.mjs'

const main = fileURLToPath(new URL('../../packages/gateway/dist/main.js', import.meta.url))
const backend = process.argv.at(-1)
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_PROTOCOL_VERSION: revision = '' } = process.env
const { MCP_CONFORMANCE_CONTEXT: context = '{}', CONFORMANCE_CALLER: era = revision.slice(0, 4) } = process.env

const folder = mkdtempSync(join(tmpdir(), 'vmcp-conformance-'))
const config = join(folder, 'vmcp.yaml')
writeFileSync(config, JSON.stringify(frontOf(backend)))
const gateway = spawn(process.execPath, [main, 'serve', '--config', config, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await runConformanceClient({ url: await servedUrl(), scenario, era, context: JSON.parse(context) })
} catch (error) {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
} finally {
  gateway.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function servedUrl() {
  for await (const line of createInterface({ input: gateway.stdout })) {
    const url = /Serving (\S+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the gateway ended before it served')
}
