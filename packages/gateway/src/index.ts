export { loadConfig, parseConfig } from './config/load.js'
export type { ConfiguredBackend, GatewayConfig } from './config/load.js'
export { createGatewayCore, startGateway } from './gateway.js'
export type { BackendStart, GatewayOptions, RunningGateway } from './gateway.js'
