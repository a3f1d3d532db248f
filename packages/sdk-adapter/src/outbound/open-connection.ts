import type { Transport } from '@modelcontextprotocol/client'
import { Client, ProtocolError, SdkError } from '@modelcontextprotocol/client'
import type { BackendDescription, BackendEvent, JsonObject, Logger } from '@vmcp/domain'
import { isVmcpError } from '@vmcp/domain'
import type { Carrier } from './carrier.js'
import { noTimeout } from './carrier.js'
import { Connection } from './connection.js'
import type { Era, ProbeVerdict } from './era.js'
import { eraOfAnswer, eraOfFault } from './era.js'
import type { EraMemory } from './era-memory.js'
import { describeBackend } from './from-wire.js'
import { statelessRevision } from './http/protocol-headers.js'
import { faultOf, WireFailure } from './wire-failure.js'

/** What opening a connection needs besides the way to make a carrier. */
export interface OpenOptions {
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly logger: Logger
  readonly report: (event: BackendEvent) => void
  readonly signal: AbortSignal
  /** What is known of the era from earlier connections with the same credential. */
  readonly memory: EraMemory
  readonly key: string
  /** The caller the connection is for, when it is for one: what that client declares. */
  readonly personal: JsonObject | undefined
}

/** A carrier that has not carried anything, and why it ended if it did. */
export interface FreshCarrier {
  readonly carrier: Carrier
  closedBy?(): WireFailure | undefined
}

/**
 * Opens a connection over streamable HTTP. A backend of unknown era is asked by `server/discover`; when that tells nothing
 * the older handshake is tried for this once and nothing is remembered.
 */
export function openOverHttp(make: () => FreshCarrier, options: OpenOptions): Promise<Connection> {
  return options.memory.recall(options.key)?.era === '2025'
    ? openSessionFirst(make, options)
    : openByProbe(make, options)
}

/** Opens a connection of the first era, without a probe: the HTTP+SSE transport knows no other. */
export function openLegacy(make: () => FreshCarrier, options: OpenOptions): Promise<Connection> {
  return openSession(make(), options)
}

/**
 * Opens a connection to a process. The older handshake goes first: a process that starts slowly and one that ignores what it
 * does not know look alike to a probe, and some end on a first message that is not `initialize`.
 */
export function openOverStdio(make: () => FreshCarrier, options: OpenOptions): Promise<Connection> {
  return options.memory.recall(options.key)?.era === '2026'
    ? openByProbe(make, options)
    : openSessionFirst(make, options)
}

async function openByProbe(make: () => FreshCarrier, options: OpenOptions): Promise<Connection> {
  const fresh = make()
  const verdict = await probe(fresh, options)
  options.memory.remember(options.key, verdict)
  if (verdict.era === '2026') return openStateless(fresh, options, verdict.discover)
  await fresh.carrier.end()
  return openSession(make(), options)
}

/** A refused handshake may come from a backend of 2026, which a probe then tells. */
async function openSessionFirst(make: () => FreshCarrier, options: OpenOptions): Promise<Connection> {
  try {
    return await openSession(make(), options)
  } catch (error) {
    if (!isHandshakeRefusal(error)) throw error
    const fresh = make()
    const verdict = await probe(fresh, options)
    if (verdict.era === '2026') {
      options.memory.remember(options.key, verdict)
      return openStateless(fresh, options, verdict.discover)
    }
    // Nobody waits for a process to end: it is given its time, and then killed.
    void fresh.carrier.end()
    throw error
  }
}

/** Asks for the era. Whoever showed it by an error is asked once more, for what it offers. */
async function probe(fresh: FreshCarrier, options: OpenOptions): Promise<ProbeVerdict> {
  const first = await ask(fresh, 1, options)
  if (first.era !== '2026' || first.discover !== undefined) return first
  const second = await ask(fresh, 2, options)
  return second.era === '2026' ? second : first
}

async function ask({ carrier, closedBy }: FreshCarrier, id: number, options: OpenOptions): Promise<ProbeVerdict> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': statelessRevision,
    'io.modelcontextprotocol/clientInfo': options.clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const request = { jsonrpc: '2.0' as const, id, method: 'server/discover', params: { _meta: meta } }
  try {
    await carrier.start()
    return eraOfAnswer(await carrier.exchange(request, { call: { signal: options.signal }, isCancelledSilently: true }))
  } catch (error) {
    const failure = closedBy?.() ?? error
    const fault = faultOf(failure)
    if (fault !== undefined && !isFinal(fault.kind)) return eraOfFault(fault)
    await carrier.end()
    throw failure
  }
}

function isFinal(kind: string): boolean {
  return kind === 'unreachable' || kind === 'connect-timeout' || kind === 'cancelled'
}

async function openSession(fresh: FreshCarrier, options: OpenOptions): Promise<Connection> {
  const client = newClient(options)
  await connect(client, fresh, { prior: { kind: 'legacy' }, options })
  const description: BackendDescription = describeBackend({
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    serverInfo: client.getServerVersion(),
    protocolVersion: client.getNegotiatedProtocolVersion(),
  })
  const connection = connectionOf('2025', { client, carrier: fresh.carrier, description, options })
  if (description.capabilities.logging !== undefined) await askForLogs(connection, options)
  if (options.personal !== undefined) await Promise.race([connection.watch(), pause(listenWaitMs)])
  return connection
}

/** Milliseconds that a server may take to open its notification stream before a call goes ahead without it. */
const listenWaitMs = 500

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}

/** Log messages are filtered by the client's own level, further in. */
async function askForLogs(connection: Connection, { signal, logger }: OpenOptions): Promise<void> {
  const request = { method: 'logging/setLevel', params: { level: 'debug' } }
  await connection.request(request, { call: { signal } }).catch(() => logger.debug('backend refused a log level'))
}

async function openStateless(
  fresh: FreshCarrier,
  options: OpenOptions,
  discovered: JsonObject = noDiscovery,
): Promise<Connection> {
  const client = newClient(options)
  const discover = {
    ttlMs: 0,
    cacheScope: 'private' as const,
    capabilities: {},
    ...discovered,
    supportedVersions: [statelessRevision],
  }
  await connect(client, fresh, { prior: { kind: 'modern', discover }, options })
  return connectionOf('2026', { client, carrier: fresh.carrier, description: describeBackend(discovered), options })
}

const noDiscovery: JsonObject = { capabilities: {} }

type Prior = NonNullable<NonNullable<Parameters<Client['connect']>[1]>['prior']>

async function connect(
  client: Client,
  { carrier, closedBy }: FreshCarrier,
  { prior, options }: { readonly prior: Prior; readonly options: OpenOptions },
): Promise<void> {
  const onAbort = () => void carrier.end()
  options.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const transport: Transport = carrier
    await client.connect(transport, { prior, timeout: noTimeout, signal: options.signal })
  } catch (error) {
    const cause = closedBy?.()
    await carrier.end()
    if (options.signal.aborted) throw new WireFailure({ kind: 'cancelled' }, { cause: error })
    throw handshakeFailure(cause ?? error)
  } finally {
    options.signal.removeEventListener('abort', onAbort)
  }
}

/** A refused handshake is no answer to the caller's request, so it is not relayed as one. */
class HandshakeRefused extends WireFailure {}

function handshakeFailure(error: unknown): unknown {
  const fault = faultOf(error)
  if (fault?.kind === 'http' && fault.status !== 401 && fault.status !== 407 && fault.status < 500) {
    return new HandshakeRefused(
      { kind: 'handshake', status: fault.status, detail: refusedDetail(fault.status) },
      { cause: error },
    )
  }
  // Whoever gives the credentials has said already what is wrong.
  if (fault !== undefined || isVmcpError(error)) return error
  if (error instanceof ProtocolError) {
    const detail = `it refused the MCP handshake (code ${error.code})`
    return new HandshakeRefused({ kind: 'protocol', detail }, { cause: error })
  }
  const detail = error instanceof SdkError ? 'its answer to the MCP handshake is not valid' : 'the MCP handshake failed'
  return new WireFailure({ kind: 'protocol', detail }, { cause: error })
}

function refusedDetail(status: number): string {
  return `HTTP ${status} to the MCP handshake: credentials refused, or a server of the old SSE transport`
}

function isHandshakeRefusal(error: unknown): boolean {
  return error instanceof HandshakeRefused
}

function newClient({ clientInfo, personal = {} }: OpenOptions): Client {
  return new Client(clientInfo, { capabilities: personal, inputRequired: { autoFulfill: false } })
}

function connectionOf(
  era: Era,
  {
    client,
    carrier,
    description,
    options,
  }: {
    readonly client: Client
    readonly carrier: Carrier
    readonly description: BackendDescription
    readonly options: OpenOptions
  },
): Connection {
  const { clientInfo, logger, report } = options
  const isPersonal = options.personal !== undefined
  return new Connection({ era, client, carrier, description, clientInfo, logger, report, isPersonal })
}
