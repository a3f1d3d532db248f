import type { BackendClient } from '@vmcp/domain'
import type { RawScript, RawServer } from '@vmcp/testing'
import { startRawBackend, startSessionBackend, startStatelessBackend } from '@vmcp/testing'
import { afterEach } from 'vitest'
import type { ConnectOptions } from '../backend-target.js'
import { connectBackend } from '../connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A raw backend of 2025-11-25, closed after the test. */
export async function sessionBackend(script: RawScript): Promise<RawServer> {
  return keep(await startSessionBackend(script))
}

/** A raw backend of 2026-07-28, closed after the test. */
export async function statelessBackend(script: RawScript): Promise<RawServer> {
  return keep(await startStatelessBackend(script))
}

/** A raw backend that answers nothing but its script, closed after the test. */
export async function scriptedBackend(script: RawScript): Promise<RawServer> {
  return keep(await startRawBackend(script))
}

/** The client of a backend over HTTP, closed after the test and before its server. */
export function backend(url: string, more: Partial<ConnectOptions> = {}): Required<BackendClient> {
  const client = connectBackend({ id: 'b1', target: { transport: 'streamable-http', url }, ...more })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

function keep(server: RawServer): RawServer {
  open.push(() => server.close())
  return server
}
