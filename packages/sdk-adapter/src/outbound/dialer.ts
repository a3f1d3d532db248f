import type { BackendEvent, JsonObject, Logger } from '@vmcp/domain'
import { InvalidConfig } from '@vmcp/domain'
import { Backoff } from './backoff.js'
import type { BackendLimits, BackendTarget } from './backend-target.js'
import { noTimeout } from './carrier.js'
import type { Connection } from './connection.js'
import type { EraMemory } from './era-memory.js'
import type { HttpEndpoint } from './http/http-endpoint.js'
import { WireFailure } from './wire-failure.js'

/** What one connection is opened for. */
export interface Dial {
  /** Names the credential. */
  readonly key: string
  readonly signal: AbortSignal
  /** What the one client declares that the connection is for; absent on a shared one. */
  readonly personal: JsonObject | undefined
  /** The headers of that credential, for what no caller asks for. */
  readonly headers: (signal?: AbortSignal) => Promise<Readonly<Record<string, string>>>
}

/** Opens connections to one target. */
export interface Dialer {
  open(dial: Dial): Promise<Connection>
  /** Ends what the connections share. Never rejects. */
  close(): Promise<void>
}

/** What a dialer is given. */
export interface DialerOptions {
  readonly id: string
  readonly limits: Required<BackendLimits>
  readonly logger: Logger
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly memory: EraMemory
  readonly now: () => number
  readonly report: (event: BackendEvent) => void
}

/** Loaded with the first connection. */
const openers = () => import('./openers.js')

const grace = { inputEndMs: 250, terminateMs: 1_000 }

/** The dialer for a target. Throws `InvalidConfig` when the target cannot be one. */
export function createDialer(target: BackendTarget, options: DialerOptions): Dialer {
  return target.transport === 'stdio' ? processDialer(target, options) : httpDialer(target, options)
}

function httpDialer(target: Exclude<BackendTarget, { transport: 'stdio' }>, options: DialerOptions): Dialer {
  const { limits, memory } = options
  const url = httpUrl(target.url, options.id)
  let shared: HttpEndpoint | undefined
  return {
    open: async ({ key, signal, headers, personal }) => {
      const { HttpCarrier, HttpEndpoint, SseCarrier, openLegacy, openOverHttp } = await openers()
      const endpoint = (shared ??= new HttpEndpoint(url, limits))
      const parts = { limits, logger: options.logger, headers }
      const opening = { ...options, memory, key, signal, personal }
      return target.transport === 'sse'
        ? openLegacy(() => ({ carrier: new SseCarrier(endpoint, parts) }), opening)
        : openOverHttp(() => ({ carrier: new HttpCarrier(endpoint, parts) }), opening)
    },
    close: async () => shared?.close(),
  }
}

function processDialer(target: Extract<BackendTarget, { transport: 'stdio' }>, options: DialerOptions): Dialer {
  const { limits, logger } = options
  const backoffs = new Map<string, Backoff>()
  return {
    open: async ({ key, signal, personal }) => {
      const standing = backoffs.get(key)?.standing
      if (standing !== undefined) throw standing.error
      const { StdioCarrier, openOverStdio } = await openers()
      const fail = (error: unknown) => {
        const backoff = backoffs.get(key) ?? new Backoff(options.now)
        backoffs.set(key, backoff)
        backoff.failed(error)
      }
      const make = () => {
        const carrier = new StdioCarrier(target, { limits, logger, grace })
        return { carrier, closedBy: () => carrier.closedBy }
      }
      const deadline = AbortSignal.timeout(Math.min(limits.startTimeoutMs, noTimeout))
      const opening = { ...options, key, signal: AbortSignal.any([signal, deadline]), personal }
      try {
        const connection = await openOverStdio(make, opening)
        backoffs.get(key)?.started()
        void connection.over.then((how) => {
          if (how === 'lost') fail(new WireFailure({ kind: 'closed', detail: 'its process keeps ending' }))
        })
        return connection
      } catch (error) {
        if (signal.aborted) throw error
        const failure = deadline.aborted
          ? new WireFailure({ kind: 'connect-timeout', timeoutMs: limits.startTimeoutMs }, { cause: error })
          : error
        fail(failure)
        throw failure
      }
    },
    close: async () => {},
  }
}

function httpUrl(text: string, id: string): URL {
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InvalidConfig([{ path: `backends.${id}.url`, message: 'expected an http or https URL' }])
}
