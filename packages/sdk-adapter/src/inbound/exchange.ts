import type { Cancellation, Identity } from '@vmcp/domain'

/** What every exchange has. No web `Request` and no Node type crosses this seam. */
interface ExchangeCommon {
  /** The request's headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The caller, already authenticated. */
  readonly identity: Identity | null
  /** Cancelled when the client is gone before the answer is complete. */
  readonly cancellation: Cancellation
  /** The way to answer, once. */
  readonly responder: Responder
  /** Headers of the client that are to reach the backends, by lower-case name. */
  readonly forwardedHeaders?: Readonly<Record<string, string>>
}

/** The client sent one JSON-RPC message. */
export interface MessageExchange extends ExchangeCommon {
  readonly kind: 'message'
  /** The parsed body. Its shape is not checked yet. */
  readonly message: unknown
  /** Whether the client takes an event stream as an answer. Without it, notifications are dropped. */
  readonly acceptsStream: boolean
}

/** The client opens the event stream of its session (2025-11-25, GET). */
export interface ListenExchange extends ExchangeCommon {
  readonly kind: 'listen'
}

/** The client ends its session (2025-11-25, DELETE). */
export interface EndExchange extends ExchangeCommon {
  readonly kind: 'end'
}

/** One thing a client wants, and the way to answer it: the seam between a server edge and this endpoint. */
export type Exchange = MessageExchange | ListenExchange | EndExchange

/** A JSON text: whole, or in parts, of which large ones may be UTF-8 already. */
export type JsonText = string | readonly (string | Uint8Array)[]

/** Answers one exchange, once: with a document or with a stream. It never throws; a client that is gone is ignored. */
export interface Responder {
  /** Sends a JSON text, or no body when it is absent, and ends. */
  json(status: number, text?: JsonText, headers?: Readonly<Record<string, string>>): void
  /** Starts an event stream. Its headers leave at once; keeping it alive is the edge's work. */
  stream(): EventStream
}

/** One server-sent event. */
export interface StreamEvent {
  /** A JSON text in one line; empty to name only an id. */
  readonly data: string
  /** Where a client may resume. */
  readonly id?: string
  /** Milliseconds after which the client may reconnect. */
  readonly retryMs?: number
}

/** An event stream to one client. */
export interface EventStream {
  /** Sends one event. Never throws; a client that is gone is ignored. */
  send(event: StreamEvent): void
  /** Ends it. Idempotent. */
  end(): void
}

/**
 * Which sessions there are, whose they are and how long they live. The edge keeps them; the endpoint asks on every
 * request that carries a session id.
 */
export interface SessionRegistry {
  /**
   * Opens a session for this caller and gives its id, or `undefined` when there is no room.
   * `ended` is called once when the session ends, for whatever reason.
   */
  open(identity: Identity | null, ended: () => void): Promise<string | undefined>
  /**
   * True when the session lives and is this caller's; it then lives on. Another caller's session looks like no session.
   * It is asked with every request, so a registry that knows the answer gives it at once.
   */
  claim(id: string, identity: Identity | null): boolean | Promise<boolean>
  /** Keeps a session from idling out while something of it is open, until the returned function is called. Idempotent. */
  hold(id: string): () => void
  /** Ends a session. Unknown ids are ignored. */
  end(id: string): Promise<void>
}
