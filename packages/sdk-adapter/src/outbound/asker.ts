import type {
  BackendCallOptions,
  ClientCapabilities,
  ClientChannel,
  Identity,
  InputRequest,
  InputRequired,
  InputResponses,
} from '@vmcp/domain'
import { InvalidInput, isJsonObject } from '@vmcp/domain'
import type { BackendConnections, Fail } from './backend-connections.js'
import type { AskableClient } from './backend-requests.js'
import { askableClient, declaresAnything, refuseUnaskable } from './backend-requests.js'
import { completionsFor, notificationsTo, questionsTo } from './call-listeners.js'
import type { ExchangeOptions } from './carrier.js'
import type { Connection } from './connection.js'
import { HeldCall } from './held-call.js'
import type { Round } from './input-rounds.js'
import { driveRounds, isAsking } from './input-rounds.js'
import { isParkedState, ParkedCalls } from './parked-calls.js'
import type { Question } from './question.js'
import { readAnswer, requestOf, roundRequest } from './question.js'
import type { StateRelay } from './state-relay.js'
import { capabilitiesToWire } from './to-wire.js'
import { faultOf } from './wire-failure.js'

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

/** What an asker relies on. */
export interface AskerParts {
  readonly connections: BackendConnections
  readonly states: StateRelay
  readonly fail: Fail
}

/** The asker over these connections. */
export function createAsker({ connections, states, fail }: AskerParts): Asker {
  const parked = new ParkedCalls<HeldCall<object>>(parking)
  return {
    ask: (identity, question, options = {}) => {
      const { client } = options
      return connections.run(identity, options, async (connection, exchange) => {
        try {
          const heard = heardBy(client, connection, exchange)
          return question.read(await connection.request(requestOf(question, client), heard))
        } catch (error) {
          if (question.ifMissing !== undefined && isMissing(error)) return question.ifMissing
          throw error
        }
      })
    },
    call: (identity, question, options = {}) => {
      const { client } = options
      const { requestState } = question.params
      if (client !== undefined && answersInRounds(client))
        return callInRounds(identity, question, { ...options, client })
      if (requestState !== undefined) return callWithState(identity, question, options)
      return callAtOnce(identity, question, options)
    },
    close: () => parked.close(),
  }

  /** For a call that goes on where the backend left it. */
  async function callWithState<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    options: BackendCallOptions,
  ): Promise<Answer | InputRequired> {
    return callAtOnce(identity, { ...question, params: await states.toBackend(identity, question) }, options)
  }

  /** For a client that answers while the call runs, or not at all. Nothing here waits: most calls come this way. */
  function callAtOnce<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    options: BackendCallOptions,
  ): Promise<Answer | InputRequired> {
    const { client } = options
    const askable = askableClient(client)
    if (askable !== undefined) return callAskable(identity, question, { ...options, client: askable })
    const request = requestOf(question, client)
    return connections.run(identity, options, (connection, exchange) =>
      connection.request(request, heardBy(client, connection, exchange)).then<Answer | InputRequired>((result) => {
        const answer = readAnswer(question, result, noCapabilities)
        return isAsking(answer) ? states.toClient(identity, question, answer) : answer
      }),
    )
  }

  /** For a client that answers while the call runs. */
  function callAskable<Answer extends object>(
    identity: Identity | null,
    question: Question<Answer>,
    options: BackendCallOptions & { readonly client: AskableClient },
  ): Promise<Answer | InputRequired> {
    const { client } = options
    const declared = client.capabilities
    const personal = capabilitiesToWire(declared)
    return connections.run(identity, { ...options, personal }, async (connection, exchange) => {
      const heard = { ...heardBy(client, connection, exchange), onRequest: questionsTo(client, connection) }
      const send = async (round: Round) =>
        readAnswer(question, await connection.request(roundRequest(question, client, round), heard), declared)
      try {
        return await driveRounds(send, { client, signal: exchange.call?.signal })
      } catch (error) {
        const fault = faultOf(error)
        const isUrlRequired = fault?.kind === 'rejected' && fault.error.code === urlElicitationRequired
        if (isUrlRequired) connection.completions.expectRequired(fault.error.data, completionsFor(client))
        throw error
      }
    })
  }

  /** For a client that answers by calling again: a call of a backend that asks while it runs stays open until then. */
  async function callInRounds<Answer extends object>(
    identity: Identity | null,
    given: Question<Answer>,
    options: BackendCallOptions & { readonly client: ClientChannel },
  ): Promise<Answer | InputRequired> {
    const { client, signal } = options
    const { requestState, inputResponses } = given.params
    const isOurs = requestState === undefined || isParkedState(requestState)
    const question = isOurs ? given : { ...given, params: await states.toBackend(identity, given) }
    const subject = String(question.params['name'] ?? question.params['uri'])
    const owner = { identity, method: question.method, subject }
    const isResumed = isParkedState(requestState)
    const held = isResumed ? parked.take(requestState, owner) : new HeldCall<object>(client)
    if (isResumed) held.resume(client, asResponses(inputResponses))
    else held.start(() => callHeld(identity, question, { ...options, held }))
    try {
      const end = await held.round(signal)
      if (end.outcome === 'answered') {
        const answer = end.answer as Answer | InputRequired
        return isAsking(answer) ? await states.toClient(identity, question, answer) : answer
      }
      return { resultType: 'input_required', inputRequests: end.inputRequests, requestState: parked.park(held, owner) }
    } catch (error) {
      throw fail(error, signal)
    }
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
    return connections.run(identity, { ...options, signal: held.signal, personal }, async (connection, exchange) => {
      const heard = { ...exchange, onNotification: notificationsTo(() => held.client, connection), onRequest: ask }
      const request = roundRequest(question, client, {})
      return readAnswer(question, await connection.request(request, heard), declared)
    })
  }
}

const noCapabilities: ClientCapabilities = {}

/** The options of an exchange whose notifications this client hears, if there is one. */
function heardBy(
  client: ClientChannel | undefined,
  connection: Connection,
  exchange: ExchangeOptions,
): ExchangeOptions {
  return client === undefined ? exchange : { ...exchange, onNotification: notificationsTo(() => client, connection) }
}

function answersInRounds({ answers, capabilities }: ClientChannel): boolean {
  return answers === 'retry' && declaresAnything(capabilities)
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
