import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Identity } from '@vmcp/domain'
import { Cancellation } from '@vmcp/domain'
import type { EndExchange, ListenExchange, MessageExchange, Responder } from '@vmcp/sdk-adapter'

/** What an exchange over Node's HTTP server is made of. */
export interface NodeExchangeParts {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly identity: Identity | null
  readonly responder: Responder
  readonly forwardedHeaders: Readonly<Record<string, string>> | undefined
}

/** What every exchange has. The connection is watched when somebody asks: most calls of a session never do. */
abstract class NodeExchange {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly identity: Identity | null
  readonly responder: Responder
  readonly forwardedHeaders?: Readonly<Record<string, string>>
  readonly #response: ServerResponse
  #cancellation: Cancellation | undefined

  constructor({ request, response, identity, responder, forwardedHeaders }: NodeExchangeParts) {
    this.headers = plainHeaders(request)
    this.identity = identity
    this.responder = responder
    if (forwardedHeaders !== undefined) this.forwardedHeaders = forwardedHeaders
    this.#response = response
  }

  get cancellation(): Cancellation {
    this.#cancellation ??= cancellationOf(this.#response)
    return this.#cancellation
  }
}

/** A message over Node's HTTP server. */
export class NodeMessage extends NodeExchange implements MessageExchange {
  readonly kind = 'message'
  readonly message: unknown
  readonly acceptsStream: boolean

  constructor(parts: NodeExchangeParts, message: unknown, acceptsStream: boolean) {
    super(parts)
    this.message = message
    this.acceptsStream = acceptsStream
  }
}

/** A client that listens, over Node's HTTP server. */
export class NodeListen extends NodeExchange implements ListenExchange {
  readonly kind = 'listen'
}

/** A client that ends its session, over Node's HTTP server. */
export class NodeEnd extends NodeExchange implements EndExchange {
  readonly kind = 'end'
}

/** Repeated headers are joined already, apart from `set-cookie`, which no client sends. */
export function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return headers as Readonly<Record<string, string | undefined>>
}

/** Cancelled when the connection closes before the answer is complete. */
function cancellationOf(response: ServerResponse): Cancellation {
  const cancellation = new Cancellation()
  if (response.destroyed && !response.writableFinished) cancellation.cancel()
  response.once('close', () => {
    if (!response.writableFinished) cancellation.cancel()
  })
  return cancellation
}
