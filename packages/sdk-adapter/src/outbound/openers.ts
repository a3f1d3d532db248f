// What opens connections. The SDK's client and undici are behind it, a third of what a gateway loads: a dialer loads it with
// its first connection, and the gateway listens meanwhile.
export { HttpCarrier } from './http/http-carrier.js'
export { HttpEndpoint } from './http/http-endpoint.js'
export { SseCarrier } from './http/sse-carrier.js'
export { openLegacy, openOverHttp, openOverStdio } from './open-connection.js'
export { StdioCarrier } from './stdio/stdio-carrier.js'
