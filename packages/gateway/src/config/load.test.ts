import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidConfig } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { loadConfig, parseConfig } from './load.js'

const backend = `backends: [{ name: one, transport: streamable-http, url: 'http://127.0.0.1:1/mcp' }]`

/** The problems of a file as `line:column path: message`. */
function problemsOf(source: string, environment: Record<string, string> = {}): readonly string[] {
  try {
    parseConfig('vmcp.yaml', source, environment)
    return []
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error
    return error.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
  }
}

describe('parseConfig', () => {
  it('tells every problem of a file at once, in the order of the file', () => {
    const source = `nmae: demo
backends:
  - name: one
    transport: carrier-pigeon
    url: http://one
  - name: one
    transport: streamable-http
    url: ftp://two
  - name: three
    transport: stdio
    args: x
aggregation:
  conflictResolution: priority
  tools: [{ workload: one, filter: 3 }]
operational:
  timeouts: { default: soon }
`
    expect(problemsOf(source)).toEqual([
      '1:1 name: is required: expected a text',
      '1:1 nmae: unknown key "nmae"',
      '4:16 backends[0].transport: expected one of: streamable-http, sse, stdio',
      '6:11 backends[1].name: duplicate backend name "one": already used by entry 0',
      '8:10 backends[1].url: expected an http:// or https:// URL',
      '9:5 backends[2].command: is required: expected a text',
      '11:11 backends[2].args: expected a list of texts',
      '13:3 aggregation.conflictResolutionConfig.priorityOrder: priorityOrder is required for priority strategy',
      '14:36 aggregation.tools[0].filter: expected a list of tool names',
      '16:24 operational.timeouts.default: invalid duration: expected a text such as 30s or 1m30s, got "soon"',
    ])
  })

  it('AGG-C01 names an unknown key at the top', () => {
    expect(problemsOf(`name: a\n${backend}\nunknown_field: x`)).toEqual([
      '3:1 unknown_field: unknown key "unknown_field": keys are written in camelCase',
    ])
  })

  it('AGG-C02 names an unknown key inside a section', () => {
    const source = `name: a\n${backend}\naggregation:\n  conflictResolutionConfig:\n    prefix_format: x`
    expect(problemsOf(source)).toEqual([
      '5:5 aggregation.conflictResolutionConfig.prefix_format: unknown key "prefix_format": keys are written in camelCase',
    ])
  })

  it('AGG-C04 wants a name that says something', () => {
    expect(problemsOf(`name: ''\n${backend}`)).toEqual(['1:7 name: expected a text that is not empty'])
  })

  it('says of a section of the reference that it is not supported rather than unknown', () => {
    expect(problemsOf(`name: a\n${backend}\noptimizer: {}`)).toEqual([
      '3:1 optimizer: the section "optimizer" is not supported by this version',
    ])
  })

  it('AGG-C11 wants policies when the type is cedar', () => {
    const source = `name: a\n${backend}\nincomingAuth: { type: anonymous, authz: { type: cedar, policies: [] } }`
    expect(problemsOf(source)[0]).toContain("policies are required when type is 'cedar'")
  })

  it('AGG-C13 AGG-C14 AGG-C15 tells what is wrong with an injected header', () => {
    const strategy = (settings: string) =>
      `name: a\n${backend}\noutgoingAuth: { default: { type: header_injection, headerInjection: { headerName: X-Key, ${settings} } } }`
    expect(problemsOf(strategy('headerValueEnv: NOPE'))[0]).toContain('environment variable NOPE not set or empty')
    expect(problemsOf(strategy('headerValueEnv: A, headerValue: b'))[0]).toContain(
      'only one of headerValue or headerValueEnv must be set',
    )
    expect(problemsOf(`${strategy('')}`)[0]).toContain('either headerValue or headerValueEnv must be set')
  })

  it('AGG-C12 takes a header value from the environment, and does not show it', async () => {
    const source = `name: a\n${backend}\noutgoingAuth: { backends: { one: { type: header_injection, headerInjection: { headerName: X-Key, headerValueEnv: GITHUB_TOKEN } } } }`
    const config = parseConfig('vmcp.yaml', source, { GITHUB_TOKEN: 'secret-token' })
    expect(await config.backends[0]?.auth.headers(null)).toEqual({ 'X-Key': 'secret-token' })
    expect(JSON.stringify(config)).not.toContain('secret-token')
  })

  it('AGG-C22 AGG-C23 AGG-C24 checks strategies against what they need', () => {
    const aggregation = (settings: string) => `name: a\n${backend}\naggregation: { ${settings} }`
    expect(problemsOf(aggregation('conflictResolution: priority'))[0]).toContain('priorityOrder is required')
    expect(problemsOf(aggregation('conflictResolution: manual'))[0]).toContain('tool overrides are required')
    const denied = `conflictResolution: priority, conflictResolutionConfig: { priorityOrder: [github, jira] }, tools: [{ workload: github }], defaultToolVisibility: deny`
    expect(problemsOf(aggregation(denied))).toEqual([
      expect.stringContaining('priorityOrder entry "jira" has no tools entry'),
    ])
  })

  it('AGG-C26 refuses an override that changes nothing, and accepts one of annotations only', () => {
    const override = (settings: string) =>
      `name: a\n${backend}\naggregation: { tools: [{ workload: one, overrides: { echo: { ${settings} } } }] }`
    expect(problemsOf(override(''))[0]).toContain('at least one of name, description or annotations must be specified')
    expect(problemsOf(override('annotations: { readOnlyHint: true }'))).toEqual([])
  })

  it('AGG-C27 keeps a health check shorter than its interval', () => {
    const health = (timeout: string) =>
      `name: a\n${backend}\noperational: { failureHandling: { healthCheckInterval: 30s, healthCheckTimeout: ${timeout} } }`
    expect(problemsOf(health('30s'))[0]).toContain(
      'healthCheckTimeout (30s) must be less than healthCheckInterval (30s) to prevent checks from queuing up',
    )
    expect(problemsOf(health('29s'))).toEqual([])
  })

  it('AGG-C31 knows the partial failure modes', () => {
    const source = `name: a\n${backend}\noperational: { failureHandling: { partialFailureMode: bestEffort } }`
    expect(problemsOf(source)[0]).toContain('expected one of: fail, best_effort')
  })

  it.each([
    ['firstAnswer: 2s', { firstAnswerMs: 2_000 }],
    ['firstAnswer: 0s', { firstAnswerMs: 0 }],
    ['default: 1s', { defaultMs: 1_000 }],
  ])('hands the timeouts { %s } on, and no other', (timeouts, expected) => {
    const { core } = parseConfig('vmcp.yaml', `name: a\n${backend}\noperational: { timeouts: { ${timeouts} } }`, {})
    expect(core.timeouts).toStrictEqual(expected)
  })

  it('AGG-C37 AGG-C38 AGG-C39 AGG-C41 names the step and the field of a composite tool', () => {
    const tool = (fields: string) =>
      `name: a\n${backend}\ncompositeTools:\n  - name: t\n    description: d\n    ${fields}`
    expect(problemsOf(tool('parameters: { type: string }\n    steps: [{ id: s, tool: x }]'))[0]).toMatch(
      /^6:\d+ compositeTools\[0\]\.parameters/,
    )
    expect(problemsOf(tool('steps: [{ id: s, tool: x, message: m }]'))[0]).toContain(
      'cannot have both tool and message fields',
    )
    expect(
      problemsOf(tool('steps: [{ id: a, tool: x, dependsOn: [b] }, { id: b, tool: x, dependsOn: [a] }]'))[0],
    ).toMatch(/dependency/)
    expect(problemsOf(tool('steps: [{ id: a, tool: x, onError: { action: retry } }]'))[0]).toContain('retryCount')
  })

  it('AGG-C36 refuses pass-through headers that belong to one hop', () => {
    expect(problemsOf(`name: a\n${backend}\npassthroughHeaders: [x-tenant-id]`)).toEqual([])
    expect(problemsOf(`name: a\n${backend}\npassthroughHeaders: [authorization, '', 'a b', x-real-ip]`)).toEqual([
      '3:22 passthroughHeaders[0]: "Authorization" is a restricted header and cannot be forwarded',
      '3:37 passthroughHeaders[1]: header name must not be empty',
      expect.stringMatching(/^3:41 passthroughHeaders\[2\]: invalid header name "a b"/),
      '3:48 passthroughHeaders[3]: "X-Real-Ip" is a restricted header and cannot be forwarded',
    ])
  })

  it('tells of a Cedar policy that does not parse, at its place and together with what else is wrong', () => {
    const source = `name: a
port: 1
${backend}
incomingAuth:
  type: local
  authz:
    type: cedar
    policies:
      - permit(principal, action, resource);
      - permit(principal action, resource);
`
    expect(problemsOf(source)).toEqual([
      '2:1 port: unknown key "port"',
      expect.stringMatching(/^10:9 incomingAuth\.authz\.policies\[1\]: line 1, column 18: /),
    ])
  })

  it('gives what the core finds wrong the names that the file has', () => {
    const sections = `aggregation: { nameLengthLimit: 20, reservedNameLength: 10 }
operational: { failureHandling: { healthCheckInterval: 1ms, healthCheckTimeout: 2ms } }`
    expect(problemsOf(`name: a\n${backend}\n${sections}`)).toEqual([
      '3:57 aggregation.reservedNameLength: leaves less than 16 of 20 characters for names',
      expect.stringContaining('4:81 operational.failureHandling.healthCheckTimeout: healthCheckTimeout (2ms)'),
    ])
  })

  it('tells two problems of one place, and none twice', () => {
    const settings = `conflictResolution: priority, defaultToolVisibility: deny, conflictResolutionConfig: { priorityOrder: [a, a] }`
    expect(problemsOf(`name: a\n${backend}\naggregation: { ${settings}, tools: [] }`)).toEqual([
      expect.stringContaining('priorityOrder[0]: defaultToolVisibility deny'),
      expect.stringContaining('priorityOrder[1]: "a" is listed twice'),
      expect.stringContaining('priorityOrder[1]: defaultToolVisibility deny'),
    ])
    expect(problemsOf(`name: a\n${backend}\naggregation: { conflictResolution: priority }`)).toHaveLength(1)
  })

  it('hands every setting of the policies on', () => {
    const authz = `{ type: cedar, policies: ['permit(principal, action, resource);'], primaryUpstreamProvider: github }`
    const source = `name: a\n${backend}\nincomingAuth: { type: local, authz: ${authz} }`
    expect(parseConfig('vmcp.yaml', source, {}).core.authorization).toEqual({
      type: 'cedar',
      policies: ['permit(principal, action, resource);'],
      primaryUpstreamProvider: 'github',
    })
  })

  it('takes the keys of waiting composite tools from the environment, and does not show them', () => {
    const source = `name: a\n${backend}\nsuspension: { ttl: 5m, keys: [{ id: k1, secretEnv: STATE_KEY }] }`
    const secret = Buffer.alloc(32, 7).toString('base64')
    const config = parseConfig('vmcp.yaml', source, { STATE_KEY: secret })
    expect(config.suspension).toMatchObject({ ttlMs: 300_000, keys: [{ id: 'k1' }] })
    expect(config.suspension?.keys[0]?.secret.reveal()).toBe(secret)
    expect(JSON.stringify(config)).not.toContain(secret)
  })

  it('refuses keys that are missing, short or named twice', () => {
    const source = `name: a\n${backend}\nsuspension:\n  keys:\n    - { id: k1, secretEnv: NONE }\n    - { id: k1, secretEnv: SHORT }`
    expect(problemsOf(source, { SHORT: 'c2hvcnQ=' })).toEqual([
      '5:28 suspension.keys[0].secretEnv: environment variable NONE not set or empty',
      '6:13 suspension.keys[1].id: duplicate key id "k1"',
      '6:28 suspension.keys[1].secretEnv: environment variable SHORT must hold at least 32 bytes in Base64',
    ])
  })

  it('takes a backend with a command for stdio, and resolves its folder from the file', () => {
    const config = parseConfig(
      '/etc/vmcp/vmcp.yaml',
      'name: a\nbackends: [{ name: one, command: npx, env: { PORT: 8080 } }]',
      {},
    )
    expect(config.backends[0]).toMatchObject({
      transport: 'stdio',
      target: { transport: 'stdio', command: 'npx', cwd: '/etc/vmcp', env: { PORT: '8080' } },
    })
  })

  it('takes an empty section for an absent one', () => {
    expect(problemsOf(`name: a\n${backend}\ncompositeTools:\naggregation:\n`)).toEqual([])
  })

  it.each([
    ['', '1:1 : the file is empty'],
    ['- a', '1:1 : expected a section of keys and values'],
    ['name: a\nname: b\nbackends: []', '2:1 : Map keys must be unique'],
    ['name: [a', expect.stringContaining('1:')],
    ['name: *nothing\nbackends: []', expect.stringContaining('alias')],
  ])('refuses %j with a clear problem', (source, problem) => {
    expect(problemsOf(source)[0]).toEqual(problem)
  })

  it('reads only the first of several documents', () => {
    expect(problemsOf(`name: a\n${backend}\n---\nnonsense: true`)).toEqual([])
  })

  it('does not let a key reach a prototype', () => {
    problemsOf(`name: a\n${backend}\n__proto__: { polluted: true }`)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('loadConfig', () => {
  it('AGG-C03 says that there is no such file', async () => {
    await expect(loadConfig('/nowhere/vmcp.yaml', {})).rejects.toThrow('/nowhere/vmcp.yaml: no such file')
  })

  it('loads a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vmcp-'))
    await writeFile(join(folder, 'vmcp.yaml'), `name: demo\n${backend}`)
    expect(await loadConfig(join(folder, 'vmcp.yaml'), {})).toMatchObject({ name: 'demo', incoming: 'anonymous' })
  })
})
