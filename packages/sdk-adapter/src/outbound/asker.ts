import type {
  BackendCallOptions,
  ClientCapabilities,
  ClientChannel,
  Identity,
  InputRequest,
  InputRequired,
  InputResponses,
  JsonObject,
  Meta,
  VmcpError,
} from '@vmcp/domain'
import { InvalidInput, isJsonObject } from '@vmcp/domain'
import type { BackendConnections, RunOptions, Use } from './backend-connections.js'
import type { AskableClient } from './backend-requests.js'
import {
  askableClient,
  declaresAnything,
  forwardRequest,
  refuseUnaskable,
  refuseUndeclared,
} from './backend-requests.js'
import type { ExchangeOptions } from './carrier.js'
import type { Connection } from './connection.js'
import type { CompletionListener } from './elicitation-completions.js'
import { completeMethod } from './elicitation-completions.js'
import { callNotificationOf, readInputRequired } from './from-wire.js'
import { HeldCall } from './held-call.js'
import type { Round } from './input-rounds.js'
import { driveRounds, isAsking } from './input-rounds.js'
import type { RpcIncoming } from './json-rpc.js'
import type { Owner } from './parked-calls.js'
import { isParkedState, ParkedCalls } from './parked-calls.js'
import type { StateRelay } from './state-relay.js'
import { capabilitiesToWire, outgoingMeta } from './to-wire.js'
import { faultOf } from './wire-failure.js'

/** One request, before it meets a connection. */
export interface Question<Answer> {
  readonly method: string
  readonly params: JsonObject
  readonly meta?: Meta | undefined
  /** Reads the raw result. Throws a `WireFailure` for one it cannot read. */
  read(result: JsonObject): Answer
  /** The answer when the backend has no such method; an error when absent. */
  readonly ifMissing?: Answer
}

/** Asks one backend. Every method rejects with errors of the domain only. */
export interface Asker {
  /** Asks what a backend answers without asking back. */
  ask<Answer>(identity: Identity | null, question: Question<Answer>, options?: BackendCallOptions): Promise<Answer>
  /** Asks what may make the backend ask the client first. */
  call<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    options?: BackendCallOptions,
  ): Promise<Answer | InputRequired>
  /** Gives up the calls that wait for answers. */
  close(): void
}

const methodNotFound = -32601
/** 2025-11-25: the caller has to open a URL first. */
const urlElicitationRequired = -32042
const parking = { maxCalls: 256, maxCallsPerCaller: 16, ttlMs: 10 * 60_000 }

/** Makes an error of the domain of whatever failed. */
export type Fail = (error: unknown, signal?: AbortSignal) => VmcpError

/** What an asker relies on. */
export interface AskerParts {
  readonly connections: BackendConnections
  readonly states: StateRelay
  readonly fail: Fail
}

/** The asker over these connections. */
export function createAsker({ connections, states, fail }: AskerParts): Asker {
  const parked = new ParkedCalls<HeldCall<object>>(parking)
  const run = async <Answer>(identity: Identity | null, options: RunOptions, use: Use<Answer>): Promise<Answer> => {
    try {
      return await connections.run(identity, options, use)
    } catch (error) {
      throw fail(error, options.signal)
    }
  }
  return {
    ask: (identity, question, options = {}) =>
      run(identity, options, async (connection, exchange) => {
        const request = { ...requestOf(question, options.client), params: question.params }
        try {
          const heard = { ...exchange, ...listeners(connection, () => options.client) }
          return question.read(await connection.request(request, heard))
        } catch (error) {
          if (question.ifMissing !== undefined && isMissing(error)) return question.ifMissing
          throw error
        }
      }),
    call: async (identity, given, options = {}) => {
      const { client } = options
      const { requestState } = given.params
      const isInRounds = client?.answers === 'retry' && declaresAnything(client.capabilities)
      const isOurs = requestState === undefined || (isInRounds && isParkedState(requestState))
      const question = isOurs ? given : { ...given, params: await states.toBackend(identity, given) }
      if (!isInRounds) return callAtOnce(identity, question, options)
      const subject = String(question.params['name'] ?? question.params['uri'])
      const owner = { identity, method: question.method, subject }
      return callInRounds(identity, question, { ...options, client, owner })
    },
    close: () => parked.close(),
  }

  /** For a client that answers while the call runs, or not at all. */
  function callAtOnce<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    options: BackendCallOptions,
  ): Promise<Answer | InputRequired> {
    const { client } = options
    const askable = askableClient(client)
    const declared = askable?.capabilities ?? {}
    const personal = askable && capabilitiesToWire(declared)
    return run(identity, { ...options, personal }, async (connection, exchange) => {
      const ask = askable && questionsTo(askable, connection)
      const heard = { ...exchange, ...listeners(connection, () => client, ask) }
      const send = (round: Round) => sendRound(connection, { question, round, client, declared }, heard)
      if (askable === undefined) return relayed(identity, question, await send({}))
      try {
        return await driveRounds(send, { client: askable, signal: exchange.signal })
      } catch (error) {
        const fault = faultOf(error)
        const isUrlRequired = fault?.kind === 'rejected' && fault.error.code === urlElicitationRequired
        if (isUrlRequired) connection.completions.expectRequired(fault.error.data, completionsFor(askable))
        throw error
      }
    })
  }

  /** For a client that answers by calling again: a call of a backend that asks while it runs stays open until then. */
  async function callInRounds<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    options: BackendCallOptions & { readonly client: ClientChannel; readonly owner: Owner },
  ): Promise<Answer | InputRequired> {
    const { client, owner, signal } = options
    const { requestState, inputResponses } = question.params
    const isResumed = isParkedState(requestState)
    const held = isResumed ? parked.take(requestState, owner) : new HeldCall<object>(client)
    if (isResumed) held.resume(client, asResponses(inputResponses))
    else held.start(() => callHeld(identity, question, { ...options, held }))
    try {
      const end = await held.round(signal)
      if (end.outcome === 'answered') return await relayed(identity, question, end.answer as Answer | InputRequired)
      return { resultType: 'input_required', inputRequests: end.inputRequests, requestState: parked.park(held, owner) }
    } catch (error) {
      throw fail(error, signal)
    }
  }

  async function relayed<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    answer: Answer | InputRequired,
  ): Promise<Answer | InputRequired> {
    return isAsking(answer) ? states.toClient(identity, question, answer) : answer
  }

  function callHeld<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    options: BackendCallOptions & { readonly client: ClientChannel; readonly held: HeldCall<object> },
  ): Promise<Answer | InputRequired> {
    const { held, client } = options
    const declared = client.capabilities
    const ask = async (request: InputRequest, signal: AbortSignal) => {
      refuseUnaskable(declared, request)
      if (!parked.hasRoom(identity)) throw new InvalidInput('too many calls wait for answers')
      return held.ask(request, signal)
    }
    const personal = capabilitiesToWire(declared)
    return run(identity, { ...options, signal: held.signal, personal }, (connection, exchange) => {
      const heard = { ...exchange, ...listeners(connection, () => held.client, ask) }
      return sendRound(connection, { question, round: {}, client, declared }, heard)
    })
  }
}

async function sendRound<Answer extends object>(
  connection: Connection,
  { question, round, client, declared }: SentRound<Answer>,
  options: ExchangeOptions,
): Promise<Answer | InputRequired> {
  const params = { ...question.params, ...round }
  const request = { ...requestOf(question, client), params, clientCapabilities: capabilitiesToWire(declared) }
  const result = await connection.request(request, options)
  const asked = readInputRequired(result)
  if (asked === undefined) return question.read(result)
  refuseUndeclared(asked, declared)
  return asked
}

interface SentRound<Answer> {
  readonly question: Question<Answer>
  readonly round: Round
  readonly client: ClientChannel | undefined
  readonly declared: ClientCapabilities
}

function requestOf({ method, meta }: Question<unknown>, client: ClientChannel | undefined) {
  return {
    method,
    meta: outgoingMeta(meta),
    wantsProgress: client?.wantsProgress === true,
    wantsLogs: client !== undefined,
  }
}

/** What hears the backend during a call: notifications go to the client, and so do questions it can be asked. */
function listeners(
  connection: Connection,
  client: () => ClientChannel | undefined,
  onRequest?: NonNullable<ExchangeOptions['onRequest']>,
): Pick<ExchangeOptions, 'onNotification' | 'onRequest'> {
  if (client() === undefined) return {}
  const onNotification = (incoming: RpcIncoming) => {
    if (incoming.method === completeMethod) return connection.completions.complete(incoming.params)
    const notification = callNotificationOf(incoming)
    if (notification !== undefined) client()?.notify(notification)
  }
  return onRequest === undefined ? { onNotification } : { onNotification, onRequest }
}

/** Puts questions to the client of their own call, which also hears when what one led it to is complete. */
function questionsTo(client: AskableClient, connection: Connection): NonNullable<ExchangeOptions['onRequest']> {
  return (request, signal) => {
    connection.completions.expect(request.params, completionsFor(client))
    return forwardRequest(client, request, signal)
  }
}

function completionsFor(client: ClientChannel): CompletionListener {
  return (elicitationId) => client.notify({ type: 'elicitation-complete', elicitationId })
}

function asResponses(value: unknown): InputResponses {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, answer]) => (isJsonObject(answer) ? [[key, answer]] : [])),
  )
}

function isMissing(error: unknown): boolean {
  const fault = faultOf(error)
  return fault?.kind === 'rejected' && fault.error.code === methodNotFound
}
