import { BackendUnavailable } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { failureText, reportText, startLine } from './report-text.js'

describe('reportText', () => {
  it('shows backends with counts, composite tools, conflicts, the URL and a snippet', () => {
    const text = reportText({
      name: 'demo',
      url: 'http://127.0.0.1:4483/mcp',
      backends: [
        {
          id: 'everything',
          name: 'everything',
          transport: 'stdio',
          health: 'healthy',
          consecutiveFailures: 0,
          offers: { tools: 13, resources: 1, templates: 0, prompts: 4 },
        },
        { id: 'gone', name: 'gone', transport: 'streamable-http', health: 'unhealthy', consecutiveFailures: 1 },
      ],
      failures: new Map([['gone', 'backend unavailable: gone (connection refused)']]),
      compositeTools: [{ name: 'greet_and_save' }],
      report: {
        strategy: 'priority',
        counts: { backends: 2, tools: 13, resources: 1, templates: 0, prompts: 4 },
        findings: [
          {
            reason: 'lost-conflict',
            kind: 'tool',
            subject: 'echo',
            backendId: 'other',
            message: 'backend everything has priority for the name "echo"',
          },
          {
            reason: 'unused-setting',
            kind: 'tool',
            subject: 'ecko',
            backendId: 'other',
            message: 'the filter names "ecko", which backend other does not offer',
          },
          { reason: 'list-failed', kind: 'prompt', subject: 'other', backendId: 'other', message: 'the list failed' },
        ],
      },
    })
    expect(text).toBe(`
  demo

    everything   stdio             13 tools, 1 resource, 4 prompts
    gone         streamable-http   not served   backend unavailable: gone (connection refused)

  Composite tools
    greet_and_save

  Conflicts: 1
    tool "echo" of other: backend everything has priority for the name "echo"
    the filter names "ecko", which backend other does not offer
    other: the list failed

  Serving http://127.0.0.1:4483/mcp

  Paste this into the MCP settings of your client:

    {
      "mcpServers": {
        "demo": {
          "type": "http",
          "url": "http://127.0.0.1:4483/mcp"
        }
      }
    }

  Ctrl-C stops everything.
`)
  })
})

describe('startLine', () => {
  it('names the server that answered', () => {
    const description = { capabilities: {}, serverInfo: { name: 'mcp-servers/everything', version: '2.0.0' } }
    expect(startLine({ id: 'everything', outcome: 'connected', description }, '0.4')).toBe(
      '  ✓ everything (mcp-servers/everything 2.0.0) in 0.4 s',
    )
  })

  it('says of a backend that takes long that it is waited for', () => {
    expect(startLine({ id: 'slow', outcome: 'waiting' }, '10.0')).toBe(
      '  … slow: no answer after 10.0 s, still waiting',
    )
  })

  it('says why a backend did not start', () => {
    const error = new BackendUnavailable('files', 'unreachable', { detail: 'command not found: npx-foo' })
    expect(startLine({ id: 'files', outcome: 'failed', error }, '0.1')).toBe(
      '  ✗ files: backend unavailable: files (command not found: npx-foo)',
    )
  })
})

describe('failureText', () => {
  it('shows nothing of an error that is not ours', () => {
    expect(failureText(new Error('secret'))).toBe('internal error')
  })
})
