import { BackendUnavailable, Identity } from '@vmcp/domain'
import type { Backend, BackendClient, Finding, Logger, VMCP } from '@vmcp/domain'
import { prompt, recordingLogger, rejection, resource, scriptedBackend, template, tool } from '@vmcp/testing'
import { afterEach, describe, expect, it } from 'vitest'

import { createVMCP } from './create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })
const open: VMCP[] = []

afterEach(() => Promise.all(open.splice(0).map((vmcp) => vmcp.close())))

function gateway(backends: readonly Backend[], logger?: Logger) {
  const vmcp = createVMCP({ name: 'gateway', backends, ...(logger !== undefined && { logger }) })
  open.push(vmcp)
  return vmcp
}

/** A backend whose client does what no type allows. */
function hostile(client: Readonly<Record<string, unknown>>): Backend {
  const bad = scriptedBackend({
    id: 'bad',
    tools: [tool('t')],
    resources: [resource('bad:a')],
    prompts: [prompt('p')],
  })
  return { ...bad, client: { ...bad.client, ...client } as BackendClient }
}

const good = () => scriptedBackend({ id: 'good', tools: [tool('t')] })
const names = async (vmcp: VMCP) => (await vmcp.listTools(alice)).map(({ name }) => name)

describe('lists of a backend that keeps no rules', () => {
  const lists: Readonly<Record<string, unknown>> = {
    'throws at once': () => {
      throw new Error('sync')
    },
    'rejects with nothing at all': () => Promise.reject(),
    'answers no promise': () => undefined,
    'answers nothing': async () => undefined,
    'answers no list': async () => ({ items: 'abc' }),
    'answers a number as cursor': async () => ({ items: [tool('t')], nextCursor: 5 }),
    'answers an item that throws when it is read': async () => ({
      items: [
        {
          get name() {
            throw new Error('read')
          },
        },
      ],
    }),
  }
  it.each(Object.entries(lists))('one that %s takes nobody else down', async (_, listTools) => {
    expect(await names(gateway([good(), hostile({ listTools })]))).toEqual(['good_t'])
  })

  it('takes null for the end of the pages, as many servers mean it', async () => {
    const bad = hostile({ listTools: async () => ({ items: [tool('t')], nextCursor: null }) })
    expect(await names(gateway([good(), bad]))).toEqual(['bad_t', 'good_t'])
  })

  const schemas: Readonly<Record<string, Record<string, unknown>>> = {
    'holds a bigint': { default: 5n },
    'throws when it is written as JSON': {
      toJSON: () => {
        throw new Error('no')
      },
    },
    'has a function for a type': { properties: { a: { type: () => 1 } } },
  }
  it.each(Object.entries(schemas))('leaves out a tool whose schema %s, and keeps its neighbour', async (_, more) => {
    const items = [tool('odd', { inputSchema: { type: 'object', ...more } }), tool('t')]
    const vmcp = gateway([good(), hostile({ listTools: async () => ({ items }) })])
    expect(await names(vmcp)).toEqual(['bad_t', 'good_t'])
    const reasons = (await vmcp.report(alice)).findings.map(({ reason, subject }: Finding) => [reason, subject])
    expect(reasons).toContainEqual(['invalid-schema', 'odd'])
  })
})

describe('answers of a backend that keeps no rules', () => {
  const answers: readonly unknown[] = [undefined, null, 'text', 5, [], {}, { content: 'text' }, { values: {} }]
  const verbs: Readonly<Record<string, (vmcp: VMCP) => Promise<unknown>>> = {
    callTool: (vmcp) => vmcp.callTool(alice, { name: 'bad_t' }),
    readResource: (vmcp) => vmcp.readResource(alice, { uri: 'bad:a' }),
    getPrompt: (vmcp) => vmcp.getPrompt(alice, { name: 'bad_p' }),
    complete: (vmcp) =>
      vmcp.complete(alice, { ref: { type: 'ref/prompt', name: 'bad_p' }, argument: { name: 'a', value: '' } }),
  }
  it.each(Object.entries(verbs))('%s says that a misshapen answer is no MCP', async (verb, use) => {
    for (const answer of answers) {
      const vmcp = gateway([hostile({ [verb]: async () => answer })])
      expect(await rejection(use(vmcp))).toEqual(new BackendUnavailable('bad', 'protocol'))
    }
  })

  it('takes an answer that throws when it is read for no MCP', async () => {
    const answer = {
      get content() {
        throw new Error('no')
      },
    }
    const vmcp = gateway([hostile({ callTool: async () => answer })])
    expect(await rejection(vmcp.callTool(alice, { name: 'bad_t' }))).toMatchObject({ reason: 'protocol' })
  })

  it('leaves out metadata that is no object', async () => {
    const vmcp = gateway([hostile({ callTool: async () => ({ content: [], meta: 'abc' }) })])
    expect(await vmcp.callTool(alice, { name: 'bad_t' })).toEqual({ content: [], backendId: 'bad' })
  })
})

describe('work that a backend makes', () => {
  it('names a tool of any length without looking at all of it again and again', async () => {
    const began = performance.now()
    await names(gateway([scriptedBackend({ id: 'b', tools: [tool(`a${'.'.repeat(200_000)}a`)] })]))
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  it('gives up on templates that take too long, those of that backend only', async () => {
    const costly = Array.from({ length: 500 }, (_, index) => template(`${'{a}{b}'.repeat(300)}${index}`))
    const b1 = scriptedBackend({ id: 'b1', templates: costly })
    const b2 = scriptedBackend({ id: 'b2', templates: [template('{rest}~end')] })
    const vmcp = gateway([b1, b2])
    const uri = `${'a'.repeat(8_000)}~end`
    const began = performance.now()
    expect(await vmcp.readResource(alice, { uri })).toMatchObject({ backendId: 'b2' })
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})

describe('code of an embedder that throws', () => {
  const boom = (): never => {
    throw new Error('boom')
  }

  it('does not keep a gateway from starting, serving and closing', async () => {
    const logger = recordingLogger()
    const vmcp = gateway([good(), hostile({ subscribe: boom })], logger)
    expect(await names(vmcp)).toEqual(['bad_t', 'good_t'])
    await vmcp.close()
    expect(logger.lines.map(({ fields }) => fields)).toContainEqual({ backend: 'bad' })
  })

  it('does not keep other clients from being closed', async () => {
    const neighbour = good()
    const vmcp = gateway([hostile({ subscribe: () => boom, close: boom }), neighbour])
    await vmcp.close()
    expect(neighbour.callsOf('close')).toHaveLength(1)
    expect(neighbour.subscribers()).toBe(0)
  })

  it('does not keep a subscriber from hearing of other changes', async () => {
    const bad = scriptedBackend({ id: 'bad', resources: [resource('bad:a')] })
    const neighbour = good()
    const vmcp = gateway([{ ...bad, client: { ...bad.client, watchResource: boom } }, neighbour])
    const heard = new Promise((resolve) => vmcp.subscribe(alice, resolve, { resources: ['bad:a'] }))
    await names(vmcp)
    neighbour.offer({ tools: [tool('t'), tool('new')] })
    neighbour.emit({ type: 'list-changed', list: 'tools' })
    expect(await heard).toEqual({ type: 'list-changed', list: 'tools' })
  })

  it('does not reach a verb through its logger', async () => {
    const logger: Logger = { debug: boom, info: boom, warn: boom, error: boom }
    const down = hostile({ describe: () => Promise.reject(new BackendUnavailable('bad', 'unreachable')) })
    const vmcp = gateway([scriptedBackend({ id: 'good', tools: [tool('a b')] }), down], logger)
    expect(await vmcp.listTools(alice)).toHaveLength(1)
    await vmcp.close()
  })
})
