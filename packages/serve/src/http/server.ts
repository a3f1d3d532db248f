import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InvalidConfig } from '@vmcp/domain'
import type { ServerLimits } from '../server-config.js'

/** Makes an HTTP server that cuts off clients which send slowly, too much or for ever. It does not listen yet. */
export function createHttpServer(listener: RequestListener, limits: ServerLimits): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
      noDelay: true,
      insecureHTTPParser: false,
    },
    listener,
  )
  server.maxRequestsPerSocket = limits.requestsPerConnection
  return server
}

/** Listens. Rejects with `InvalidConfig` when the address cannot be used. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(unusable(error, host, port))
    server.once('error', fail)
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port, backlog: 4096 }, () => {
      server.off('error', fail)
      resolve()
    })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no port')
  return address
}

/** A server that has stopped listening and still serves the connections it has. */
export interface StoppedServer {
  /** Closes what is left: idle connections at once, answers that are under way after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Stops listening: the port is free for another process at once. */
export function stopListening(server: Server): StoppedServer {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  return {
    close: async (graceMs) => {
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

function unusable(error: NodeJS.ErrnoException, host: string, port: number): InvalidConfig {
  switch (error.code) {
    case 'EADDRINUSE':
      return new InvalidConfig([{ path: 'port', message: `port ${port} on ${host} is already in use` }], {
        cause: error,
      })
    case 'EACCES':
      return new InvalidConfig([{ path: 'port', message: `port ${port} on ${host} needs more rights` }], {
        cause: error,
      })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new InvalidConfig([{ path: 'host', message: `"${host}" is not an address of this machine` }], {
        cause: error,
      })
    default:
      return new InvalidConfig([{ path: 'port', message: `cannot listen on ${host}:${port}` }], { cause: error })
  }
}
