export { startFixtureServer } from './fixture-server.js'
export type { FixtureCall, FixtureServer, FixtureServerOptions } from './fixture-server.js'
export { stdioFixture } from './stdio-fixture.js'
export type { StdioFixtureOptions } from './stdio-fixture.js'
