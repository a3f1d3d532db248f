import { anonymous, local } from '@vmcp/auth'
import { createVMCP } from '@vmcp/core'
import type { Backend, BackendDescription, Logger, ViewReport, VMCP, VmcpAdmin, VmcpEvents } from '@vmcp/domain'
import { connectBackend } from '@vmcp/sdk-adapter'
import { serve, type RunningServer } from '@vmcp/serve'
import type { GatewayConfig } from './config/load.js'
import { version } from './version.js'

/** Where and how to listen. */
export interface GatewayOptions {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  readonly logger: Logger
}

/** What a backend answered when the gateway first spoke to it. */
export type BackendStart =
  | { readonly id: string; readonly outcome: 'connected'; readonly description: BackendDescription }
  | { readonly id: string; readonly outcome: 'failed'; readonly error: unknown }

/** A gateway that serves. */
export interface RunningGateway {
  readonly url: string
  /** The core, undecorated. */
  readonly vmcp: VMCP & VmcpAdmin & VmcpEvents
  /** Speaks to every backend once, telling of each as it answers, and reports what an anonymous caller's view holds. */
  warmUp(onStart: (start: BackendStart) => void): Promise<ViewReport>
  /** Stops listening, ends sessions, closes backends and their processes. Idempotent. */
  close(): Promise<void>
}

/**
 * The composition root: makes every part of a gateway from its configuration and serves it.
 * Rejects with `InvalidConfig`, also when the address cannot be had; nothing is left running then.
 */
export async function startGateway(config: GatewayConfig, options: GatewayOptions): Promise<RunningGateway> {
  const backends = createBackends(config, options.logger)
  const vmcp = createCore(config, backends, options.logger)
  let server: RunningServer
  try {
    server = await serve(vmcp, {
      name: config.name,
      version,
      host: options.host,
      port: options.port,
      incomingAuth: config.incoming === 'local' ? local() : anonymous(),
      passthroughHeaders: config.passthroughHeaders,
      events: vmcp,
      admin: vmcp,
      logger: options.logger,
    })
  } catch (error) {
    await vmcp.close()
    throw error
  }
  let closing: Promise<void> | undefined
  return {
    url: server.url,
    vmcp,
    warmUp: async (onStart) => {
      await Promise.all(backends.map(async (backend) => onStart(await startBackend(backend))))
      return vmcp.report(null)
    },
    close: () => (closing ??= server.close().then(() => vmcp.close())),
  }
}

/** Makes the core of a configuration without serving it: for checks. Nothing is connected until it is used. */
export function createGatewayCore(config: GatewayConfig, logger: Logger): VMCP & VmcpAdmin & VmcpEvents {
  return createCore(config, createBackends(config, logger), logger)
}

function createCore(config: GatewayConfig, backends: readonly Backend[], logger: Logger) {
  return createVMCP({ ...config.core, backends, compositeTools: config.compositeTools, logger })
}

function createBackends(config: GatewayConfig, logger: Logger): readonly Backend[] {
  return config.backends.map(({ id, transport, target, auth, metadata }) => ({
    id,
    transport,
    metadata,
    client: connectBackend({ id, target, auth, logger, clientInfo: { name: config.name, version } }),
  }))
}

async function startBackend({ id, client }: Backend): Promise<BackendStart> {
  try {
    return { id, outcome: 'connected', description: await client.describe(null) }
  } catch (error) {
    return { id, outcome: 'failed', error }
  }
}
