import type { BackendClient, CallOptions, CompleteResult, Identity, Logger } from '@vmcp/domain'
import { silentLogger } from '@vmcp/domain'
import { createAsker } from './asker.js'
import type { Fail } from './backend-connections.js'
import { BackendConnections } from './backend-connections.js'
import { toDomainError } from './backend-errors.js'
import type { ConnectOptions } from './backend-target.js'
import { fillLimits } from './backend-target.js'
import { boundCalls } from './bound-calls.js'
import { createDialer } from './dialer.js'
import { EraMemory } from './era-memory.js'
import {
  readCompletion,
  readPromptResult,
  readPrompts,
  readResourceResult,
  readResources,
  readResourceTemplates,
  readToolResult,
  readTools,
} from './from-wire.js'
import { createStateSeal } from './sealed-state.js'
import type { StateRelay } from './state-relay.js'
import { createStateRelay } from './state-relay.js'
import { callToolParams, completeParams, getPromptParams, readResourceParams } from './to-wire.js'
import { faultOf } from './wire-failure.js'

/**
 * A client of one backend, over streamable HTTP, HTTP+SSE or stdio, in whichever protocol era the backend speaks.
 * It connects on first use. Throws `InvalidConfig` for a target that cannot be one.
 */
export function connectBackend(options: ConnectOptions): BackendClient {
  const fail = failures(options)
  const connections = connectionsOf(options, fail)
  const asker = createAsker({ connections, states: statesOf(options), fail })
  const { ask } = asker
  const call = boundCalls(asker.call, { target: options.target, limits: fillLimits(options.limits), fail })

  const describe = (identity: Identity | null, callOptions: CallOptions = {}) =>
    connections.run(identity, callOptions, async (connection, exchange) => {
      const isOld = Date.now() - connection.describedAt > describedForMs
      if (connection.era === '2026' && isOld) await connection.refresh(exchange)
      return connection.description
    })

  return {
    describe,
    listTools: (identity, page, callOptions) =>
      ask(identity, { method: 'tools/list', params: { ...page }, read: readTools }, callOptions),
    listResources: (identity, page, callOptions) =>
      ask(identity, { method: 'resources/list', params: { ...page }, read: readResources }, callOptions),
    listResourceTemplates: (identity, page, callOptions) => {
      const question = { method: 'resources/templates/list', params: { ...page }, read: readResourceTemplates }
      return ask(identity, { ...question, ifMissing: { items: [] } }, callOptions)
    },
    listPrompts: (identity, page, callOptions) =>
      ask(identity, { method: 'prompts/list', params: { ...page }, read: readPrompts }, callOptions),
    callTool: (identity, request, callOptions) => {
      const { meta } = request
      const question = { method: 'tools/call', params: callToolParams(request), meta, read: readToolResult }
      return call(identity, question, callOptions)
    },
    readResource: (identity, request, callOptions) => {
      const question = { method: 'resources/read', params: readResourceParams(request), meta: request.meta }
      return call(identity, { ...question, read: readResourceResult }, callOptions)
    },
    getPrompt: (identity, request, callOptions) => {
      const question = { method: 'prompts/get', params: getPromptParams(request), meta: request.meta }
      return call(identity, { ...question, read: readPromptResult }, callOptions)
    },
    complete: async (identity, request, callOptions) => {
      const { capabilities } = await describe(identity, callOptions)
      if (capabilities.completions === undefined) return noCompletion
      const question = { method: 'completion/complete', params: completeParams(request), meta: request.meta }
      return ask(identity, { ...question, read: readCompletion, ifMissing: noCompletion }, callOptions)
    },
    probe: async (callOptions = {}) => {
      const connection = connections.any
      if (connection === undefined) return void (await describe(null, callOptions))
      try {
        await connection.ping(callOptions.signal)
      } catch (error) {
        if (!hasAnswered(error)) throw fail(error, callOptions.signal)
      }
    },
    watchResource: (identity, uri, callOptions = {}) => connections.watchResource(identity, uri, callOptions),
    rootsChanged: (identity, client, callOptions = {}) => connections.rootsChanged(identity, client, callOptions),
    subscribe: (listener) => connections.subscribe(listener),
    close: () => {
      asker.close()
      return connections.close()
    },
  }
}

/** Milliseconds after which a stateless backend is asked again what it offers. */
const describedForMs = 60_000

const noCompletion: CompleteResult = { values: [] }

function connectionsOf(options: ConnectOptions, fail: Fail): BackendConnections {
  const { id, target, auth, clientInfo = { name: 'vmcp', version: '0.1.0' } } = options
  const limits = fillLimits(options.limits)
  const logger = loggerFor(id, options.logger ?? silentLogger)
  const now = Date.now
  const memory = new EraMemory(now)
  const dialer = createDialer(target, {
    id,
    limits,
    logger,
    clientInfo,
    memory,
    now,
    report: (event) => connections.report(event),
  })
  const connections: BackendConnections = new BackendConnections({
    dialer,
    memory,
    logger,
    auth,
    configuredHeaders: target.transport === 'stdio' ? {} : (target.headers ?? {}),
    maxSessions: limits.maxSessions,
    sessionIdleMs: limits.sessionIdleMs,
    now,
    fail,
  })
  return connections
}

/** How states are relayed. Credentials are headers, so a process sees none and cannot tell callers apart. */
function statesOf({ id, target, auth, stateKeys, stateTtlMs }: ConnectOptions): StateRelay {
  const seal = createStateSeal({ keys: stateKeys, ttlMs: stateTtlMs })
  return createStateRelay({ backend: id, seal, auth: target.transport === 'stdio' ? undefined : auth })
}

/** Turns a failure into one of the domain. A defect of ours says nothing to its caller, so the log has it. */
function failures({ id, logger = silentLogger }: ConnectOptions): Fail {
  return (error, signal) => {
    const failure = toDomainError(id, error, signal)
    if (failure._tag === 'InternalError' && failure !== error) {
      logger.error('a call to a backend met a defect', { backend: id, error: String(error) })
    }
    return failure
  }
}

/** A logger that names the backend in everything it is told. */
function loggerFor(backend: string, logger: Logger): Logger {
  return {
    debug: (message, fields) => logger.debug(message, { backend, ...fields }),
    info: (message, fields) => logger.info(message, { backend, ...fields }),
    warn: (message, fields) => logger.warn(message, { backend, ...fields }),
    error: (message, fields) => logger.error(message, { backend, ...fields }),
  }
}

/** True for a failure that shows a living backend: an error of its own, or a session it does not know any more. */
function hasAnswered(error: unknown): boolean {
  const fault = faultOf(error)
  return fault?.kind === 'rejected' || (fault?.kind === 'http' && fault.sessionLost === true)
}
