/** What the gateway promises on the wire and on the command line, and where the promise comes from. */
export const requirements = {
  'QS-1': {
    promise:
      'The quick start serves two MCP servers from npm behind one endpoint, with prefixes, to clients of SDK 1.x and 2.x',
    source: 'README, "Start in a minute"',
  },
  'QS-2': {
    promise: 'A composite tool asks the user, and goes on with the answer; a refusal is a result too',
    source: 'MCP 2025-11-25, Elicitation',
  },
  'QS-3': {
    promise: 'Stopping the gateway leaves no child process',
    source: 'MCP 2025-11-25, Transports, stdio, Shutdown',
  },
  'QS-4': {
    promise: 'The start is reported: backends with counts, conflicts, the URL and a snippet',
    source: 'README',
  },
  'ERA-1': {
    promise: 'A 2026-07-28 client discovers, lists and calls without a session',
    source: 'MCP 2026-07-28, Lifecycle',
  },
  'ERA-2': {
    promise: 'A 2026-07-28 client answers the question of a composite tool by calling again',
    source: 'MCP 2026-07-28, Multi round-trip requests',
  },
  'MIX-1': {
    promise:
      'Clients and backends of SDK 1.x and 2.x, of both eras, over HTTP and stdio, work through the gateway in any combination',
    source: 'MCP 2026-07-28, Versioning',
  },
  'BAD-1': {
    promise: 'Every problem of a configuration is told at once, with its place; nothing is started',
    source: 'README',
  },
  'BAD-2': {
    promise: 'A backend that cannot start or connect costs only itself, and its cause is told once',
    source: 'README',
  },
  'BAD-3': { promise: 'A port in use is told in one line', source: 'README' },
  'BAD-4': {
    promise: 'A body that is not JSON, not JSON-RPC or too large gets the right status and code',
    source: 'JSON-RPC 2.0, section 5.1; MCP 2025-11-25, Transports',
  },
  'BAD-5': {
    promise: 'A backend that dies mid-call costs its own call only, and comes back',
    source: 'MCP 2025-11-25, Transports',
  },
} as const
