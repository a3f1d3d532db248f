export { createEndpoint } from './inbound/endpoint.js'
export type { Endpoint } from './inbound/endpoint.js'
export type { EndpointConfig } from './inbound/endpoint-config.js'
export { errorTable } from './inbound/error-table.js'
export type { ErrorRow } from './inbound/error-table.js'
export type {
  EndExchange,
  EventStream,
  Exchange,
  ListenExchange,
  MessageExchange,
  Responder,
  SessionRegistry,
  StreamEvent,
} from './inbound/exchange.js'
export type { ServerInfo } from './inbound/result-writer.js'
