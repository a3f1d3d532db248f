import type { IncomingAuth, VMCP } from '@vmcp/domain'
import { InvalidConfig, silentLogger } from '@vmcp/domain'
import { createEndpoint } from '@vmcp/sdk-adapter'
import { createCrossOrigin } from './http/cross-origin.js'
import { createSiteGuard } from './http/guards.js'
import { createHeapGuard } from './http/heap-guard.js'
import { InFlight } from './http/in-flight.js'
import { isLoopbackAddress } from './http/loopback.js'
import { createMcpRoute } from './http/mcp-route.js'
import { createHeaderPicker } from './http/passthrough-headers.js'
import { createRoutes } from './http/routes.js'
import { createHttpServer, listen, stopListening } from './http/server.js'
import type { ServerConfig } from './server-config.js'
import { defaultLimits, defaultSessionLimits } from './server-config.js'
import { createSessions } from './session/sessions.js'

/** A server that listens. */
export interface RunningServer {
  /** The MCP endpoint, such as `http://127.0.0.1:4483/mcp`. */
  readonly url: string
  /** The port it listens on. */
  readonly port: number
  /**
   * Takes no new requests, lets running calls end for `limits.drainMs`, cancels the rest and closes every connection.
   * Idempotent. It leaves the `VMCP` open: whoever made it closes it.
   */
  close(): Promise<void>
}

/**
 * Serves any `VMCP` over HTTP, to clients of both protocol eras. Resolves when it listens.
 * Rejects with `InvalidConfig` when a setting or the address cannot be used.
 */
export async function serve(vmcp: VMCP, config: ServerConfig): Promise<RunningServer> {
  const { name, version, title, instructions, host = '127.0.0.1', port = 4483, path = '/mcp', events } = config
  const logger = config.logger ?? silentLogger
  const limits = { ...defaultLimits, ...config.limits }
  const pickHeaders = createHeaderPicker(config.passthroughHeaders ?? [])
  if (!path.startsWith('/')) throw new InvalidConfig([{ path: 'path', message: 'must start with "/"' }])
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new InvalidConfig([{ path: 'port', message: 'must be a whole number from 0 to 65535' }])
  }

  const sessions = createSessions({ ...defaultSessionLimits, ...config.sessions }, logger)
  const heap = createHeapGuard()
  const endpoint = createEndpoint(vmcp, {
    serverInfo: { name, version, ...(title !== undefined && { title }) },
    sessions: {
      ...sessions,
      open: async (identity, ended) =>
        heap.isOver(limits.heapShareForSessions) ? undefined : sessions.open(identity, ended),
    },
    logger,
    callsPerSession: limits.callsPerSession,
    ...(instructions !== undefined && { instructions }),
    ...(events !== undefined && { events }),
  })
  const inFlight = new InFlight()
  const incomingAuth = config.incomingAuth ?? everybodyIsAnonymous
  let closed: Promise<void> | undefined
  const routes = createRoutes({
    path,
    version,
    guardSite: createSiteGuard({ host, allowedHosts: config.allowedHosts, allowedOrigins: config.allowedOrigins }),
    crossOrigin: createCrossOrigin(config.allowedOrigins),
    mcp: createMcpRoute({ endpoint, incomingAuth, limits, pickHeaders, inFlight, heap, logger }),
    admin: showsStatus(config, host) ? config.admin : undefined,
    isClosing: () => closed !== undefined,
  })
  const server = createHttpServer(routes, limits)
  const address = await listen(server, { host, port }).catch((error: unknown) => {
    sessions.close()
    throw error
  })
  if (!isLoopbackAddress(host) && config.incomingAuth === undefined) {
    logger.warn('everybody who reaches this address may call every tool: no incoming authentication is set', { host })
  }

  return {
    url: `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${address.port}${path}`,
    port: address.port,
    close: () => (closed ??= close()),
  }

  async function close(): Promise<void> {
    const stopped = stopListening(server)
    endpoint.endStreams()
    await inFlight.idle(limits.drainMs)
    await endpoint.close()
    sessions.close()
    await stopped.close(graceMs)
  }
}

/** What the last answers get to leave the machine. */
const graceMs = 1000

const everybodyIsAnonymous: IncomingAuth = {
  authenticate: async () => ({ outcome: 'authenticated', identity: null }),
}

function showsStatus({ status = 'loopback' }: ServerConfig, host: string): boolean {
  return status === 'public' || (status === 'loopback' && isLoopbackAddress(host))
}
