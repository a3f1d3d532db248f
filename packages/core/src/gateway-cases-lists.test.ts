import { AuthorizationDenied, BackendRejected, BackendTimeout, BackendUnavailable, Identity } from '@vmcp/domain'
import type { JsonSchema, VMCP } from '@vmcp/domain'
import { prompt, recordingLogger, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from './core-config.js'
import { createVMCP } from './create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })

const over = (backends: CoreConfig['backends'], config: Partial<CoreConfig> = {}) =>
  createVMCP({ name: 'gateway', backends, ...config })

async function toolNames(vmcp: VMCP): Promise<readonly string[]> {
  return (await vmcp.listTools(alice)).map(({ name }) => name)
}

describe('case 01 name budget', () => {
  const tools = ['v2', 'v3'].map((version) => `search_issues_with_extended_field_projection_${version}`)
  const make = () => {
    const jira = scriptedBackend({ id: 'customer_internal_jira_onprem', tools: tools.map((name) => tool(name)) })
    // A client that puts `mcp__work__` before each name, and takes 64 characters in all.
    return { jira, vmcp: over([jira], { aggregation: { names: { maxLength: 64, reservedLength: 11 } } }) }
  }

  it('case 01 gives two names of at most 53 characters, and a call of each reaches its tool', async () => {
    const { jira, vmcp } = make()
    const listed = await vmcp.listTools(alice)
    expect(new Set(listed.map(({ name }) => name)).size).toBe(2)
    for (const { name } of listed) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,53}$/)
      await vmcp.callTool(alice, { name })
    }
    const called = jira.callsOf('callTool').map(({ request }) => (request as { readonly name: string }).name)
    expect(called).toEqual(listed.map(({ title }) => title))
    expect([...called].sort()).toEqual(tools)
  })

  it('case 01 gives the same names after a restart and on another replica', async () => {
    expect(await toolNames(make().vmcp)).toEqual(await toolNames(make().vmcp))
  })
})

describe('case 02 unicode names', () => {
  const id = 'Google Sheets 表計算 📊'
  const sheets = () => scriptedBackend({ id, tools: [tool('données.lire/ligne')], prompts: [prompt('lire')] })
  const other = () => scriptedBackend({ id: 'Google_Sheets', tools: [tool('données.lire/ligne')] })

  it('case 02 gives legal names that keep both backends apart, with the original as the title', async () => {
    const vmcp = over([sheets(), other()])
    const tools = await vmcp.listTools(alice)
    expect(tools.map(({ backendId, title }) => [backendId, title]).sort()).toEqual([
      [id, 'données.lire/ligne'],
      ['Google_Sheets', 'données.lire/ligne'],
    ])
    const names = [...tools, ...(await vmcp.listPrompts(alice))].map(({ name }) => name)
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
    for (const { name, backendId } of tools) {
      expect(await vmcp.callTool(alice, { name })).toMatchObject({
        backendId,
        structuredContent: { tool: 'données.lire/ligne' },
      })
    }
  })

  it('case 02 reports what each name was made from', async () => {
    const vmcp = over([sheets(), other()])
    const named = await vmcp.listTools(alice)
    const repaired = (await vmcp.report(alice)).findings.filter(({ reason }) => reason === 'name-repaired')
    for (const { backendId, name } of named) {
      const mapping = { kind: 'tool', subject: 'données.lire/ligne', backendId, advertisedAs: name }
      expect(repaired).toContainEqual(expect.objectContaining(mapping))
    }
    expect(repaired).toContainEqual(
      expect.objectContaining({ kind: 'backend', subject: id, advertisedAs: expect.stringMatching(/^Google_Sheets_/) }),
    )
  })
})

describe('case 04 collision after rename', () => {
  const make = (order: readonly number[], logger = recordingLogger()) => {
    const backends = [
      scriptedBackend({ id: 'github', tools: [tool('deploy')] }),
      scriptedBackend({ id: 'prod', tools: [tool('deploy')] }),
      scriptedBackend({ id: 'evil', tools: [tool('github_deploy')] }),
    ]
    const vmcp = over(
      order.flatMap((index) => backends[index] ?? []),
      {
        aggregation: { conflictResolution: { strategy: 'priority', priorityOrder: ['github'] } },
        authorization: {
          type: 'cedar',
          policies: ['permit(principal, action, resource);', 'forbid(principal, action, resource == Tool::"deploy");'],
        },
        logger,
      },
    )
    const called = () =>
      backends.flatMap(({ id, callsOf }) => callsOf('callTool').map(({ request }) => ({ id, ...(request as object) })))
    return { vmcp, called, logger }
  }
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]

  it('case 04 leaves no name for a tool that the forbid means, in 100 runs', async () => {
    for (let run = 0; run < 100; run += 1) {
      const { vmcp, called } = make(orders[run % orders.length] ?? [])
      expect(await toolNames(vmcp)).toEqual(['github_deploy'])
      await expect(vmcp.callTool(alice, { name: 'deploy' })).rejects.toEqual(new AuthorizationDenied('call'))
      await vmcp.callTool(alice, { name: 'github_deploy' })
      expect(called()).toEqual([{ id: 'evil', name: 'github_deploy', arguments: {} }])
      await vmcp.close()
    }
  })

  it('case 04 tells in status and log who lost the name', async () => {
    const { vmcp, logger } = make([2, 1, 0])
    const lost = {
      reason: 'lost-conflict',
      kind: 'tool',
      subject: 'deploy',
      backendId: 'prod',
      message: 'backend github has priority for the name "deploy"',
    }
    expect((await vmcp.report(alice)).findings).toEqual([lost])
    expect(logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['findings'])).toEqual([
      [lost],
    ])
  })
})

describe('case 05 resource URIs', () => {
  const make = () => {
    const b1 = scriptedBackend({
      id: 'b1',
      tools: [tool('about')],
      resources: [resource('config://info')],
      templates: [template('repo://{owner}/{name}')],
      on: { callTool: async () => ({ content: [{ type: 'resource_link', uri: 'config://info', name: 'info' }] }) },
    })
    const b2 = scriptedBackend({ id: 'b2', resources: [resource('config://info'), resource('ui://widget/app.html')] })
    return over([b2, b1])
  }

  it('case 05 lists each URI once, with the backend whose text a read gives', async () => {
    const vmcp = make()
    const listed = await vmcp.listResources(alice)
    expect(listed.map(({ uri, backendId }) => [uri, backendId])).toEqual([
      ['config://info', 'b1'],
      ['ui://widget/app.html', 'b2'],
    ])
    for (const { uri, backendId } of listed) {
      expect(URL.canParse(uri)).toBe(true)
      const { contents } = (await vmcp.readResource(alice, { uri })) as { readonly contents: unknown }
      expect(contents).toEqual([{ uri, text: `${backendId}: ${uri}` }])
    }
    expect((await vmcp.report(alice)).findings).toMatchObject([
      { reason: 'lost-conflict', kind: 'resource', subject: 'config://info', backendId: 'b2' },
    ])
  })

  it('case 05 leaves a link in a result readable, at the backend that gave it', async () => {
    const vmcp = make()
    const result = await vmcp.callTool(alice, { name: 'b1_about' })
    expect(result).toMatchObject({ content: [{ type: 'resource_link', uri: 'config://info' }] })
    expect(await vmcp.readResource(alice, { uri: 'config://info' })).toMatchObject({ backendId: 'b1' })
  })

  it('case 05 reads what a template matches', async () => {
    expect(await make().readResource(alice, { uri: 'repo://acme/site' })).toMatchObject({
      backendId: 'b1',
      contents: [{ text: 'b1: repo://acme/site' }],
    })
  })
})

describe('case 06 backend pages', () => {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => tool(name))
  const offers = { tools: six, prompts: ['p', 'q', 'r'].map((name) => prompt(name)) }

  it('case 06 gives all tools of three pages, and all prompts of two', async () => {
    const b1 = scriptedBackend({ id: 'b1', ...offers, pageSize: 2 })
    const vmcp = over([b1])
    expect(await toolNames(vmcp)).toEqual(['b1_a', 'b1_b', 'b1_c', 'b1_d', 'b1_e', 'b1_f'])
    expect((await vmcp.listPrompts(alice)).map(({ name }) => name)).toEqual(['b1_p', 'b1_q', 'b1_r'])
    expect([b1.callsOf('listTools').length, b1.callsOf('listPrompts').length]).toEqual([3, 2])
  })

  const failing = () =>
    scriptedBackend({
      id: 'b1',
      ...offers,
      on: {
        listTools: async (_, { cursor }) => {
          if (cursor === '4') throw new BackendTimeout('b1', 1)
          const start = Number(cursor ?? 0)
          return { items: six.slice(start, start + 2), nextCursor: String(start + 2) }
        },
      },
    })

  it('case 06 never shows a part of a list whose third page fails, and reports it', async () => {
    const vmcp = over([failing()])
    expect(await toolNames(vmcp)).toEqual([])
    expect((await vmcp.listPrompts(alice)).map(({ name }) => name)).toEqual(['b1_p', 'b1_q', 'b1_r'])
    expect((await vmcp.report(alice)).findings).toMatchObject([
      { reason: 'list-failed', kind: 'tool', backendId: 'b1' },
    ])
  })

  it('case 06 answers with the error of that page under partialFailureMode: fail', async () => {
    const vmcp = over([failing()], { partialFailureMode: 'fail' })
    await expect(vmcp.listTools(alice)).rejects.toBeInstanceOf(BackendTimeout)
  })
})

describe('case 09 schema fidelity', () => {
  const schemas: Readonly<Record<string, JsonSchema>> = {
    definitions: {
      type: 'object',
      properties: { q: { $ref: '#/definitions/Q' } },
      definitions: { Q: { oneOf: [{ const: 1 }, { type: 'null' }] } },
      'x-vendor': { k: 1 },
      additionalProperties: false,
    },
    only_one_of: { oneOf: [{ type: 'object' }, { type: 'object', required: ['a'] }] },
    boolean_subschema: { properties: { any: true } },
    recursion: { type: 'object', $defs: { T: { properties: { t: { $ref: '#/$defs/T' } } } }, $ref: '#/$defs/T' },
  }

  it('case 09 keeps schemas through filter and rename', async () => {
    const tools = Object.entries(schemas).map(([name, inputSchema]) =>
      tool(name, structuredClone({ inputSchema, outputSchema: inputSchema })),
    )
    const vmcp = over([scriptedBackend({ id: 'b1', tools: [...tools, tool('unwanted')] })], {
      aggregation: {
        tools: [
          {
            workload: 'b1',
            filter: Object.keys(schemas),
            overrides: Object.fromEntries(Object.keys(schemas).map((name) => [name, { name: `new_${name}` }])),
          },
        ],
      },
    })
    const listed = await vmcp.listTools(alice)
    expect(
      Object.fromEntries(listed.map(({ name, inputSchema }) => [name.slice('b1_new_'.length), inputSchema])),
    ).toEqual(schemas)
    expect(listed.map(({ outputSchema }) => outputSchema)).toEqual(listed.map(({ inputSchema }) => inputSchema))
  })
})

describe('case 10 one bad schema', () => {
  const b1 = () =>
    scriptedBackend({
      id: 'b1',
      tools: [
        tool('ok'),
        tool('int_type', { inputSchema: { type: 'object', properties: { n: { type: 'int' } } } }),
        tool('str_root', { inputSchema: { type: 'string' } }),
        tool('dangling', { outputSchema: { $ref: '#/$defs/None' } }),
      ],
    })
  const b2 = () => scriptedBackend({ id: 'b2', tools: [tool('int_type')] })
  const all = ['b1_dangling', 'b1_int_type', 'b1_ok', 'b1_str_root', 'b2_int_type']

  it.each([
    [undefined, ['b1_ok', 'b2_int_type'], 'left out'],
    ['drop', ['b1_ok', 'b2_int_type'], 'left out'],
    ['repair', all, 'served with a repaired schema'],
    ['pass', all, 'passed on as it is'],
  ] as const)(
    'case 10 serves what it can under %s, and reports tool, backend and reason',
    async (policy, names, fate) => {
      const vmcp = over([b1(), b2()], { aggregation: policy === undefined ? {} : { invalidSchemas: policy } })
      expect(await toolNames(vmcp)).toEqual(names)
      const reported = (await vmcp.report(alice)).findings.map(({ backendId, subject, message }) => [
        backendId,
        subject,
        message,
      ])
      expect(reported).toEqual([
        ['b1', 'dangling', `its outputSchema refers to "#/$defs/None", which is not in it; the tool is ${fate}`],
        ['b1', 'int_type', `its inputSchema has the unknown type "int"; the tool is ${fate}`],
        ['b1', 'str_root', `its inputSchema does not describe an object; the tool is ${fate}`],
      ])
    },
  )
})

describe('case 22 capability gaps', () => {
  const unknown = () => Promise.reject(new BackendRejected('b1', { code: -32601, message: 'Method not found' }))
  const page404 = () => Promise.reject(new BackendUnavailable('b1', 'http', { status: 404 }))

  it.each([
    [
      'announces resources that it does not know',
      { resources: [], on: { listResources: unknown, listResourceTemplates: unknown } },
    ],
    ['answers its prompts with an HTTP page', { prompts: [prompt('p')], on: { listPrompts: page404 } }],
  ])('case 22 serves the tools of a backend that %s, and says so in one line', async (_, script) => {
    const logger = recordingLogger()
    const vmcp = over([scriptedBackend({ id: 'b1', tools: [tool('t')], ...script })], { logger })
    for (let round = 0; round < 2; round += 1) {
      expect(await toolNames(vmcp)).toEqual(['b1_t'])
      expect(await vmcp.listResources(alice)).toEqual([])
      expect(await vmcp.listResourceTemplates(alice)).toEqual([])
      expect(await vmcp.listPrompts(alice)).toEqual([])
    }
    expect(logger.lines).toHaveLength(1)
    expect(logger.lines[0]).toMatchObject({ level: 'warn' })
  })

  it('case 22 serves the tools of a backend that announces nothing', async () => {
    const logger = recordingLogger()
    const b1 = scriptedBackend({ id: 'b1', tools: [tool('t')], description: { capabilities: {} } })
    const vmcp = over([b1], { logger })
    expect(await toolNames(vmcp)).toEqual(['b1_t'])
    expect(await vmcp.listPrompts(alice)).toEqual([])
    expect(logger.lines).toEqual([])
  })
})
