import type { BackendCallOptions, ClientChannel, Identity, JsonObject, Meta } from '@vmcp/domain'
import type { BackendConnections } from './backend-connections.js'
import { toDomainError } from './backend-errors.js'
import type { ExchangeOptions } from './carrier.js'
import type { Connection } from './connection.js'
import { callNotificationOf } from './from-wire.js'
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

/** Asks a backend as one caller. Rejects with errors of the domain only. */
export type Ask = <Answer>(
  identity: Identity | null,
  question: Question<Answer>,
  options?: BackendCallOptions,
) => Promise<Answer>

const methodNotFound = -32601

/** The way to ask the backend of that id. */
export function createAsk(id: string, connections: BackendConnections): Ask {
  return async (identity, question, options = {}) => {
    try {
      return await connections.run(identity, options, (connection, exchange) =>
        askOver(connection, question, { exchange, client: options.client }),
      )
    } catch (error) {
      if (question.ifMissing !== undefined && isMissing(error)) return question.ifMissing
      throw toDomainError(id, error, options.signal)
    }
  }
}

async function askOver<Answer>(
  connection: Connection,
  { method, params, meta, read }: Question<Answer>,
  { exchange, client }: { readonly exchange: ExchangeOptions; readonly client: ClientChannel | undefined },
): Promise<Answer> {
  const request = {
    method,
    params,
    meta: outgoingMeta(meta),
    wantsProgress: client?.wantsProgress === true,
    wantsLogs: client !== undefined,
    clientCapabilities: client?.answers === 'retry' ? capabilitiesToWire(client.capabilities) : {},
  }
  if (client === undefined) return read(await connection.request(request, exchange))
  const onNotification = (incoming: Parameters<typeof callNotificationOf>[0]) => {
    const notification = callNotificationOf(incoming)
    if (notification !== undefined) client.notify(notification)
  }
  return read(await connection.request(request, { ...exchange, onNotification }))
}

function isMissing(error: unknown): boolean {
  const fault = faultOf(error)
  return fault?.kind === 'rejected' && fault.error.code === methodNotFound
}
