export { createEndpoint } from './inbound/endpoint.js'
export type { Endpoint } from './inbound/endpoint.js'
export type { EndpointConfig } from './inbound/endpoint-config.js'
export type {
  EndExchange,
  EventStream,
  Exchange,
  JsonText,
  ListenExchange,
  MessageExchange,
  Responder,
  SessionRegistry,
  StreamEvent,
} from './inbound/exchange.js'
export type { ServerInfo } from './inbound/wire/result-writer.js'
export { findInexactNumber } from './json/inexact-number.js'
export type { BackendLimits, BackendTarget, ConnectOptions } from './outbound/backend-target.js'
export { connectBackend } from './outbound/connect-backend.js'
export type { StateKey } from './outbound/sealed-state.js'
