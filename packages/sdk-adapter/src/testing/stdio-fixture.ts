import { fileURLToPath } from 'node:url'

/** Which stdio server to start. */
export interface StdioFixtureOptions {
  /** What it is built on; `v2` when absent. `none` is a few lines without SDK, which start fast. */
  readonly sdk?: 'v1' | 'v2' | 'none'
  /** SDK 2.x only; `2025` when absent. */
  readonly era?: '2025' | '2026' | 'both'
}

/** The command that starts a fixture MCP server over stdio. */
export function stdioFixture(options: StdioFixtureOptions = {}): {
  readonly command: string
  readonly args: readonly string[]
} {
  const program = fileURLToPath(new URL('../../src/testing/programs/stdio-server.mjs', import.meta.url))
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  return { command: process.execPath, args: [program, ...flags] }
}
