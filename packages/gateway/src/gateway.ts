import { anonymous, local } from '@vmcp/auth'
import { createVMCP } from '@vmcp/core'
import type {
  Backend,
  IncomingAuth,
  Logger,
  ViewReport,
  VMCP,
  VmcpAdmin,
  VmcpEvents,
  WorkflowObserver,
} from '@vmcp/domain'
import { connectBackend } from '@vmcp/sdk-adapter'
import { serve, type RunningServer } from '@vmcp/serve'
import { startBackend, type BackendStart } from './backend-start.js'
import type { GatewayConfig, SuspensionSettings } from './config/gateway-config.js'
import { version } from './version.js'

/** Milliseconds after which a backend that has not answered is reported as waited for. */
const startPatienceMs = 10_000

/** Milliseconds that lists wait for a backend that has not answered since the start, when the file does not say. */
const firstAnswerMs = 500

/** Where and how to listen. */
export interface GatewayOptions {
  /** The address or host name to listen on, such as `127.0.0.1`. */
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Where every part logs to. */
  readonly logger: Logger
}

/** What a core is made with besides its configuration. */
export interface GatewayCoreOptions {
  /** Where the core and its backends log to. */
  readonly logger: Logger
  /** Watches composite tools. */
  readonly workflowObserver?: WorkflowObserver
}

/** A gateway that serves. */
export interface RunningGateway {
  /** The URL of the MCP endpoint, with the port it got. */
  readonly url: string
  /** The core, undecorated. */
  readonly vmcp: VMCP & VmcpAdmin & VmcpEvents
  /**
   * Speaks to every backend once, telling of each as it answers, and reports what an anonymous caller's view holds. Of a
   * backend that takes longer than ten seconds it is told that it is waited for, and later what came of it.
   */
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
  const timeouts = { firstAnswerMs, ...config.core.timeouts }
  const vmcp = createCore({ ...config, core: { ...config.core, timeouts } }, backends, { logger: options.logger })
  let server: RunningServer
  try {
    server = await serve(vmcp, {
      name: config.name,
      version,
      host: options.host,
      port: options.port,
      incomingAuth: incomingAuth(config),
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
      await Promise.all(backends.map((backend) => startBackend(backend, { patienceMs: startPatienceMs, onStart })))
      return vmcp.report(null)
    },
    close: () => (closing ??= server.close().then(() => vmcp.close())),
  }
}

/**
 * Makes the core of a configuration without serving it, for callers in this process. Its backends are probed at once, and
 * every one is waited for, since such a caller lists once.
 */
export function createGatewayCore(config: GatewayConfig, options: GatewayCoreOptions): VMCP & VmcpAdmin & VmcpEvents {
  const { firstAnswerMs: _, ...timeouts } = config.core.timeouts ?? {}
  const patient = { ...config, core: { ...config.core, timeouts } }
  return createCore(patient, createBackends(config, options.logger), options)
}

/** Who the callers of a configuration are. */
export function incomingAuth(config: GatewayConfig): IncomingAuth {
  return config.incoming === 'local' ? local() : anonymous()
}

function createCore(config: GatewayConfig, backends: readonly Backend[], options: GatewayCoreOptions) {
  const { core, compositeTools, suspension } = config
  return createVMCP({
    ...core,
    ...options,
    backends,
    compositeTools,
    ...(suspension !== undefined && { suspension: { ...suspension, keys: revealKeys(suspension) } }),
  })
}

function createBackends(config: GatewayConfig, logger: Logger): readonly Backend[] {
  const states = stateOptions(config.suspension)
  return config.backends.map(({ id, transport, target, auth, metadata }) => ({
    id,
    transport,
    metadata,
    ...(auth.type !== 'unauthenticated' && { authentication: auth.type }),
    client: connectBackend({ id, target, auth, logger, clientInfo: { name: config.name, version }, ...states }),
  }))
}

/** States of backends and of composite tools have the same keys; neither opens as the other. */
function stateOptions(suspension: SuspensionSettings | undefined) {
  if (suspension === undefined) return {}
  const { ttlMs } = suspension
  return { stateKeys: revealKeys(suspension), ...(ttlMs !== undefined && { stateTtlMs: ttlMs }) }
}

function revealKeys({ keys }: SuspensionSettings) {
  return keys.map(({ id, secret }) => ({ id, secret: secret.reveal() }))
}
