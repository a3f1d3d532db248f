import type { VMCP } from '@vmcp/domain'
import { onTestFinished } from 'vitest'
import type { RunningServer } from '../serve.js'
import { serve } from '../serve.js'
import type { ServerConfig } from '../server-config.js'
import { fakeVmcp } from './fake-vmcp.js'

/** Serves a `VMCP` on a free port until the test ends. */
export async function startServer(
  vmcp: Partial<VMCP> = {},
  config: Partial<ServerConfig> = {},
): Promise<RunningServer> {
  const server = await serve(fakeVmcp(vmcp), { name: 'vmcp', version: '1.0.0', port: 0, ...config })
  onTestFinished(() => server.close())
  return server
}
