import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@vmcp/domain'
import { stdioFixture } from '@vmcp/sdk-adapter/testing'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../run-command-line.js'
import type { Terminal } from '../terminal.js'

/** A terminal that answers its questions from a list, or that cannot be asked. */
function fakeTerminal(answers?: readonly string[]) {
  const out: string[] = []
  const error: string[] = []
  const left = [...(answers ?? [])]
  const terminal: Terminal = {
    environment: {},
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
    untilStopped: () => new Promise(() => {}),
    ...(answers !== undefined && { ask: async () => left.shift() }),
  }
  return { terminal, out, error }
}

async function configFile(config: JsonObject = demo): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'vmcp-')), 'vmcp.json')
  await writeFile(file, JSON.stringify(config))
  return file
}

const demo = {
  name: 'demo',
  backends: [{ name: 'one', ...stdioFixture({ sdk: 'none' }) }],
  incomingAuth: {
    type: 'local',
    authz: {
      type: 'cedar',
      policies: [
        'permit(principal, action, resource);',
        'forbid(principal, action, resource == Tool::"one_pid") unless { principal.claim_sub == "ada" };',
      ],
    },
  },
  aggregation: { tools: [{ workload: 'one', filter: ['echo', 'pid'] }] },
  compositeTools: [
    {
      name: 'greet',
      description: 'Greets.',
      parameters: { type: 'object', properties: { times: { type: 'integer' } } },
      steps: [
        { id: 'ask', message: 'Who?', schema: { type: 'object', properties: { name: { type: 'string' } } } },
        { id: 'place', tool: 'one.cwd' },
        { id: 'number', tool: 'one_pid' },
        {
          id: 'say',
          tool: 'one.echo',
          dependsOn: ['ask'],
          arguments: { text: '{{.steps.ask.output.content.name}} {{.params.times}}' },
        },
      ],
      output: { properties: { said: { type: 'string', description: 'd', value: '{{.steps.say.content.text}}' } } },
    },
    { name: 'broken', description: 'Cannot run.', steps: [{ id: 'a', tool: 'one.nothing' }] },
  ],
}

describe('vmcp workflow plan', () => {
  it('asks the backends and says how the caller finds each tool', async () => {
    const { terminal, out } = fakeTerminal()
    expect(await runCommandLine(['workflow', 'plan', await configFile(), 'greet'], terminal)).toBe(0)
    expect(out[0]).toMatch(/For \S+ of vmcp-local: it is listed, and can be called\./)
    expect(out[0]).toContain('one.cwd is hidden: the filter of backend one does not name it')
    expect(out[0]).toContain('one_pid is denied: ')
    expect(out[0]).not.toContain('one.echo is')
    expect(out[0]).toContain('```mermaid\nflowchart TD\n')
  })

  it('asks for the caller that is named', async () => {
    const { terminal, out } = fakeTerminal()
    const caller = ['--subject', 'ada', '--issuer', 'corp', '--claims', '{"groups":["a"]}']
    const args = ['workflow', 'plan', await configFile(), 'greet', '--format', 'json', ...caller]
    expect(await runCommandLine(args, terminal)).toBe(0)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      standing: {
        caller: 'ada of corp',
        tools: [
          { reference: 'one.cwd', state: 'hidden' },
          { reference: 'one_pid', state: 'listed' },
          { reference: 'one.echo', state: 'listed' },
        ],
      },
    })
  })

  it('names what is missing', async () => {
    const { terminal, out } = fakeTerminal()
    await runCommandLine(['workflow', 'plan', await configFile(), 'broken', '--format', 'text'], terminal)
    expect(out[0]).toContain('of vmcp-local it is missing: ')
    expect(out[0]).toContain('one.nothing is missing: no backend offers a tool "one.nothing"')
  })

  it('answers 1 when no backend can be asked, and says why', async () => {
    const { terminal, error } = fakeTerminal()
    const steps = [{ id: 'a', tool: 'gone.echo' }]
    const file = await configFile({
      name: 'demo',
      backends: [{ name: 'gone', command: 'no-such-program' }],
      compositeTools: [{ name: 'greet', description: 'Greets.', steps }],
    })
    expect(await runCommandLine(['workflow', 'plan', file, 'greet'], terminal)).toBe(1)
    expect(error.join('\n')).toContain('command not found: no-such-program')
  })

  it('draws without asking anybody', async () => {
    const { terminal, out } = fakeTerminal()
    const args = ['workflow', 'plan', await configFile(), 'greet', '--offline', '--format', 'mermaid']
    expect(await runCommandLine(args, terminal)).toBe(0)
    expect(out[0]).toMatch(/^flowchart TD\n/)
    expect(out[0]).not.toContain('missing')
  })

  it('names the composite tools there are when it does not know one', async () => {
    const { terminal, error } = fakeTerminal()
    const file = await configFile()
    expect(await runCommandLine(['workflow', 'plan', file, 'great'], terminal)).toBe(1)
    expect(error).toEqual([`invalid input: no composite tool "great" in ${file}: it has greet, broken`])
  })

  it.each([
    [['--claims', '[]'], 2, 'Expected a JSON object.'],
    [['--issuer', 'corp'], 1, '--issuer and --claims need --subject'],
    [['--format', 'svg'], 2, 'Allowed choices are text, mermaid, json.'],
  ])('refuses %j with %i', async (options, code, message) => {
    const { terminal, error } = fakeTerminal()
    const args = ['workflow', 'plan', await configFile(), 'greet', '--offline', ...options]
    expect(await runCommandLine(args, terminal)).toBe(code)
    expect(error.join('\n')).toContain(message)
  })
})

describe('vmcp workflow run', () => {
  it('asks at the terminal, tells what happens and prints the result', async () => {
    const { terminal, out, error } = fakeTerminal(['Ada'])
    const args = ['workflow', 'run', await configFile(), 'greet', '--argument', 'times=3']
    expect(await runCommandLine(args, terminal)).toBe(0)
    expect(JSON.parse(out[0] ?? '')).toEqual({
      content: [{ type: 'text', text: '{"said":"Ada 3"}' }],
      structuredContent: { said: 'Ada 3' },
    })
    expect(error).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}running greet for \S+ of vmcp-local …$/),
        '  ▸ ask: asks the user',
        '\n  Who?',
        '  ▸ say: calls one.echo',
        expect.stringMatching(/^ {2}✓ say in /),
      ]),
    )
  })

  it('answers 1 where a question cannot be asked, and says which', async () => {
    const { terminal, out } = fakeTerminal()
    expect(await runCommandLine(['workflow', 'run', await configFile(), 'greet'], terminal)).toBe(1)
    expect(out[0]).toContain('elicitation requester not configured: step ask')
  })

  it('answers 1 to arguments that do not fit, and names the field', async () => {
    const { terminal, out } = fakeTerminal(['Ada'])
    const args = ['workflow', 'run', await configFile(), 'greet', '--arguments', '{"times":"many"}']
    expect(await runCommandLine(args, terminal)).toBe(1)
    expect(out[0]).toContain('times')
  })

  it('explains why a composite tool is not offered', async () => {
    const { terminal, out, error } = fakeTerminal()
    expect(await runCommandLine(['workflow', 'run', await configFile(), 'broken'], terminal)).toBe(1)
    expect(out).toEqual([])
    expect(error.join('\n')).toContain('composite tool "broken" is not offered: no backend offers "one.nothing"')
  })

  it('cancels the call when the user asks to stop', async () => {
    const { terminal, error } = fakeTerminal()
    const args = ['workflow', 'run', await configFile(), 'greet']
    expect(await runCommandLine(args, { ...terminal, untilStopped: () => Promise.resolve() })).toBe(1)
    expect(error.at(-1)).toContain('cancelled')
  })

  it('answers 2 to an argument without a value', async () => {
    const { terminal, error } = fakeTerminal()
    expect(await runCommandLine(['workflow', 'run', 'x', 'y', '--argument', 'name'], terminal)).toBe(2)
    expect(error[0]).toContain('Expected key=value.')
  })
})

describe('vmcp schema', () => {
  it('prints the JSON Schema of the file', async () => {
    const { terminal, out } = fakeTerminal()
    expect(await runCommandLine(['schema'], terminal)).toBe(0)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ title: 'vMCP configuration' })
  })
})
