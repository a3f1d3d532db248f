import assert from 'node:assert/strict'
import { createVMCP } from '@vmcp/core'
import { decorate, type Identity, type Logger, type VMCP } from '@vmcp/domain'
import { connectClient, type TestClient } from '@vmcp/sdk-adapter/testing'
import { serve } from '@vmcp/serve'
import { backends } from './backends.js'
import { callers, incomingAuth } from './callers.js'
import { recordCalls, type CallRecord } from './record-calls.js'
import { withinPlan } from './within-plan.js'

/** Wraps a core in two decorators, serves it, and shows that each caller's list, lookups and calls agree. */
export async function run(): Promise<readonly string[]> {
  const records: CallRecord[] = []
  const log: string[] = []
  const logger = loggerTo(log)
  const vmcp = decorate(createVMCP({ name: 'help', backends, logger }), [
    withinPlan,
    recordCalls((record) => records.push(record)),
  ])
  const server = await serve(vmcp, { name: 'help', version: '1.0.0', port: 0, incomingAuth, logger })
  const said: string[] = []
  try {
    for (const [token, identity] of Object.entries(callers)) {
      const client = await connectClient({ sdk: 'v2', url: server.url, headers: { authorization: `Bearer ${token}` } })
      const listed = (await client.listTools()).map(({ name }) => String(name))
      said.push(`${identity.subject} sees ${listed.join(', ')}`)
      for (const name of ['desk_open', 'desk_search', 'reports_export']) {
        assert.equal(await finds(vmcp, identity, name), listed.includes(name))
        assert.equal(await calls(client, name), listed.includes(name))
      }
      await client.close()
    }
    await assert.rejects(connectClient({ sdk: 'v2', url: server.url }))

    said.push(...records.map(({ caller, tool, outcome }) => `${caller} ${tool}: ${outcome}`))
    for (const token of Object.keys(callers)) {
      assert(!JSON.stringify([records, log, callers[token]]).includes(token), 'a token was written down')
    }
    return said
  } finally {
    await server.close()
    await vmcp.close()
  }
}

function finds(vmcp: VMCP, identity: Identity, name: string): Promise<boolean> {
  return vmcp.lookupTool(identity, name).then(
    () => true,
    () => false,
  )
}

function calls(client: TestClient, name: string): Promise<boolean> {
  return client.callTool(name).then(
    () => true,
    () => false,
  )
}

function loggerTo(log: string[]): Logger {
  const write: Logger['info'] = (message, fields = {}) => void log.push(JSON.stringify({ message, ...fields }))
  return { debug: write, info: write, warn: write, error: write }
}
