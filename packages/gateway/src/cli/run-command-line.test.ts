import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from './run-command-line.js'
import type { Terminal } from './terminal.js'

function recordingTerminal() {
  const out: string[] = []
  const error: string[] = []
  const terminal: Terminal = {
    environment: {},
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
    untilStopped: () => Promise.resolve(),
  }
  return { terminal, out, error }
}

async function configFile(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'vmcp-')), 'vmcp.yaml')
  await writeFile(file, text)
  return file
}

describe('runCommandLine', () => {
  it('validates a file and says what is in it', async () => {
    const { terminal, out } = recordingTerminal()
    const file = await configFile('name: demo\nbackends: [{ name: files, command: npx }]\n')
    expect(await runCommandLine(['validate', '--config', file], terminal)).toBe(0)
    expect(out.join('\n')).toBe(`${file} is valid
  name             demo
  incoming         anonymous
  backends         files (stdio)
  conflicts        prefix
  composite tools  none`)
  })

  it.each(['validate', 'serve'])(
    '%s lists every problem with its place, starts nothing and answers 1',
    async (command) => {
      const { terminal, out, error } = recordingTerminal()
      const file = await configFile('name: demo\nport: 1\nbackends: [{ name: a, url: ftp://a }]\n')
      expect(await runCommandLine([command, '--config', file], terminal)).toBe(1)
      expect(out).toEqual([])
      expect(error).toEqual([
        `${file}:2:1: port: unknown key "port"\n${file}:3:28: backends[0].url: expected an http:// or https:// URL`,
      ])
    },
  )

  it('tells of a Cedar policy that does not parse', async () => {
    const { terminal, error } = recordingTerminal()
    const file = await configFile(
      'name: demo\nbackends: []\nincomingAuth: { type: local, authz: { type: cedar, policies: [permit(nonsense)] } }\n',
    )
    expect(await runCommandLine(['validate', '--config', file], terminal)).toBe(1)
    expect(error[0]).toContain('policies[0]')
  })

  it('answers 2 to a command that it does not have', async () => {
    const { terminal, error } = recordingTerminal()
    expect(await runCommandLine(['srve'], terminal)).toBe(2)
    expect(error[0]).toContain("unknown command 'srve'")
  })

  it('answers 2 to a port that is none', async () => {
    const { terminal, error } = recordingTerminal()
    expect(await runCommandLine(['serve', '--config', 'x', '--port', '70000'], terminal)).toBe(2)
    expect(error[0]).toContain('Expected a port from 0 to 65535.')
  })

  it('answers 2 to a host that is empty, which would listen on every address', async () => {
    const { terminal, error } = recordingTerminal()
    expect(await runCommandLine(['serve', '--config', 'x', '--host', ''], terminal)).toBe(2)
    expect(error[0]).toContain('Expected an address or a host name')
  })

  it('warns of a backend that is named and not there, and goes on', async () => {
    const { terminal, out, error } = recordingTerminal()
    const file = await configFile(
      'name: demo\nbackends: [{ name: files, command: npx }]\naggregation: { tools: [{ workload: flies }] }\n',
    )
    expect(await runCommandLine(['validate', '--config', file], terminal)).toBe(0)
    expect(error).toEqual([`warning: ${file}:3:36: aggregation.tools[0].workload: no backend is named "flies"`])
    expect(out[0]).toContain('is valid')
  })

  it('prints its version', async () => {
    const { terminal, out } = recordingTerminal()
    expect(await runCommandLine(['--version'], terminal)).toBe(0)
    expect(out[0]).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
