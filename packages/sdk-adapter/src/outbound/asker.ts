import type {
  BackendCallOptions,
  ClientChannel,
  Identity,
  InputRequest,
  InputRequired,
  JsonObject,
  Meta,
} from '@vmcp/domain'
import type { BackendConnections, RunOptions, Use } from './backend-connections.js'
import { toDomainError } from './backend-errors.js'
import type { AskableClient } from './backend-requests.js'
import { askableClient, forwardRequest, refuseUndeclared } from './backend-requests.js'
import type { ExchangeOptions } from './carrier.js'
import { callNotificationOf, readInputRequired } from './from-wire.js'
import type { Round } from './input-rounds.js'
import { driveRounds, isAsking } from './input-rounds.js'
import type { RpcIncoming } from './json-rpc.js'
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
}

const methodNotFound = -32601

/** The asker of the backend of that id. */
export function createAsker(id: string, connections: BackendConnections): Asker {
  const run = async <Answer>(identity: Identity | null, options: RunOptions, use: Use<Answer>): Promise<Answer> => {
    try {
      return await connections.run(identity, options, use)
    } catch (error) {
      throw toDomainError(id, error, options.signal)
    }
  }
  return {
    ask: (identity, question, options = {}) =>
      run(identity, options, async (connection, exchange) => {
        const request = { ...requestOf(question, options.client), params: question.params }
        try {
          return question.read(await connection.request(request, { ...exchange, ...listeners(options.client) }))
        } catch (error) {
          if (question.ifMissing !== undefined && isMissing(error)) return question.ifMissing
          throw error
        }
      }),
    call: (identity, question, options = {}) => {
      const { client } = options
      const askable = askableClient(client)
      const declared = askable !== undefined || client?.answers === 'retry' ? (client?.capabilities ?? {}) : {}
      const clientCapabilities = capabilitiesToWire(declared)
      const check = (asked: InputRequired) => refuseUndeclared(asked, declared)
      return run(identity, { ...options, personal: askable && clientCapabilities }, async (connection, exchange) => {
        const exchangeOptions = { ...exchange, ...listeners(client, askable) }
        const send = async (round: Round) => {
          const params = { ...question.params, ...round }
          const request = { ...requestOf(question, client), params, clientCapabilities }
          const result = await connection.request(request, exchangeOptions)
          return readInputRequired(result) ?? question.read(result)
        }
        if (askable !== undefined) return driveRounds(send, { client: askable, signal: exchange.signal }, check)
        const answer = await send({})
        if (isAsking(answer)) check(answer)
        return answer
      })
    },
  }
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
  client: ClientChannel | undefined,
  askable?: AskableClient,
): Pick<ExchangeOptions, 'onNotification' | 'onRequest'> {
  if (client === undefined) return {}
  const onNotification = (incoming: RpcIncoming) => {
    const notification = callNotificationOf(incoming)
    if (notification !== undefined) client.notify(notification)
  }
  if (askable === undefined) return { onNotification }
  const onRequest = (request: InputRequest, signal: AbortSignal) => forwardRequest(askable, request, signal)
  return { onNotification, onRequest }
}

function isMissing(error: unknown): boolean {
  const fault = faultOf(error)
  return fault?.kind === 'rejected' && fault.error.code === methodNotFound
}
