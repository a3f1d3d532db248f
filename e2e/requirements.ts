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
  'CASE-05': {
    promise:
      'A resource that several backends have is listed once and read from the backend that is listed; links in results stay readable',
    source: 'Gateway cases',
  },
  'CASE-06': {
    promise: 'All pages of a backend are listed; a page that fails is told, and makes no short list of them',
    source: 'Gateway cases',
  },
  'CASE-09': { promise: 'Schemas of tools arrive as they were, with every keyword', source: 'Gateway cases' },
  'CASE-11': {
    promise: 'A result that does not fit its outputSchema is relayed unchanged, failed or not',
    source: 'Gateway cases',
  },
  'CASE-12': { promise: 'Every field of tools and results arrives, known or not', source: 'Gateway cases' },
  'CASE-13': {
    promise: 'Metadata crosses both ways, and neither side can forge what is reserved',
    source: 'Gateway cases',
  },
  'CASE-15': {
    promise:
      'Arguments reach the backend as the policy saw them and as they were, or are refused; numbers of results arrive as they were',
    source: 'Gateway cases',
  },
  'CASE-17': {
    promise: 'A backend that lost its sessions gets one new one, and no call is made twice',
    source: 'Gateway cases',
  },
  'CASE-19': {
    promise: 'A dead backend costs itself only, with its cause; in fail mode it is one clear error',
    source: 'Gateway cases',
  },
  'CASE-22': {
    promise: 'A backend that announces other things than it has is served with what it has',
    source: 'Gateway cases',
  },
  'CASE-24': {
    promise:
      'A cancelled call is cancelled once, at its backend only, under the id of that hop; a late answer is dropped',
    source: 'Gateway cases',
  },
  'CASE-25': {
    promise: 'Progress comes back under its token, in order and at once, and keeps a call alive until the total',
    source: 'Gateway cases',
  },
  'CASE-26': {
    promise: 'A change of lists is told once, when there is one, and costs two lists at most',
    source: 'Gateway cases',
  },
  'CASE-27': {
    promise: 'A question of a backend reaches the client of its call only, and so does the answer',
    source: 'Gateway cases',
  },
  'CASE-28': {
    promise: 'What is too large is a named error, memory stays bounded, and the session goes on',
    source: 'Gateway cases',
  },
  'REL-B1': {
    promise: 'A backend that dies fails its calls at once, each after one attempt, and is reborn',
    source: 'Reliability promises',
  },
  'REL-B2': {
    promise: 'A slow backend holds up nobody else, and what it cannot hold is refused at once',
    source: 'Reliability promises',
  },
  'REL-B3': {
    promise: 'A hanging backend costs the deadline, then nothing while its breaker is open',
    source: 'Reliability promises',
  },
  'REL-B4': {
    promise: 'A malformed answer is a fixed error at once, and nothing of it is read',
    source: 'Reliability promises',
  },
  'REL-B5': { promise: 'Size and depth of an answer are bounded exactly', source: 'Reliability promises' },
  'REL-B6': { promise: 'A storm of list changes costs two lists a second at most', source: 'Reliability promises' },
  'REL-S4': {
    promise: 'Two calls under one id in one session both get their own answer',
    source: 'Reliability promises',
  },
} as const
