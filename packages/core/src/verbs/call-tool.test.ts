import {
  AuthorizationDenied,
  BackendRejected,
  BackendUnavailable,
  Cancelled,
  Identity,
  InvalidInput,
  NotFound,
} from '@vmcp/domain'
import type { CallToolRequest } from '@vmcp/domain'
import { deepFreeze, fakeChannel, rejection, scriptedBackend, tool, untilAborted } from '@vmcp/testing'
import type { BackendScript, ScriptedBackend } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'

import type { CoreConfig } from '../core-config.js'
import { createVMCP } from '../create-vmcp.js'

const alice = new Identity({ issuer: 'test', subject: 'alice', claims: { sub: 'alice' } })

function serving(script: Partial<BackendScript>, config: Partial<CoreConfig> = {}) {
  const backend: ScriptedBackend = scriptedBackend({ id: 'be1', tools: [tool('echo')], ...script })
  return { backend, vmcp: createVMCP({ name: 'gateway', backends: [backend], ...config }) }
}

function cedar(...policies: readonly string[]): Pick<CoreConfig, 'authorization'> {
  return { authorization: { type: 'cedar', policies } }
}

const permitAll = 'permit(principal, action, resource);'
const regional = tool('execute_sql', {
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
  },
})

describe('callTool', () => {
  it('CORE-K01 gives what the backend gave, stamped with the backend', async () => {
    const { vmcp } = serving({ on: { callTool: async () => ({ content: [], structuredContent: { result: 'ok' } }) } })
    const result = await vmcp.callTool(alice, { name: 'be1_echo', arguments: { a: 1 } })
    expect(result).toEqual({ content: [], structuredContent: { result: 'ok' }, backendId: 'be1' })
  })

  it('CORE-K02 answers NotFound for a name that nobody offers', async () => {
    const { vmcp } = serving({ tools: [] })
    await expect(vmcp.callTool(null, { name: 'missing' })).rejects.toEqual(new NotFound('tool', 'missing'))
  })

  it('CORE-K03 leaves the arguments and metadata of the caller alone, whatever the backend does to its own', async () => {
    const { vmcp, backend } = serving({
      on: {
        callTool: async (_, request) => {
          Object.assign(request.arguments ?? {}, { a: 2, more: true })
          Object.assign(request.meta ?? {}, { m: 'changed' })
          return { content: [] }
        },
      },
    })
    const request = deepFreeze({ name: 'be1_echo', arguments: { a: 1 }, meta: { m: 'n' } })
    await vmcp.callTool(null, request)
    expect(request).toEqual({ name: 'be1_echo', arguments: { a: 1 }, meta: { m: 'n' } })
    expect(backend.callsOf('callTool')[0]?.request).toHaveProperty('meta')
  })

  // The reference hands the advertised name to its client, which translates it; our port takes the backend's own names.
  it('CORE-K05 calls a backend by its own name, and no other name than the advertised one works', async () => {
    const { vmcp, backend } = serving({})
    await vmcp.callTool(null, { name: 'be1_echo' })
    expect(backend.callsOf('callTool')[0]?.request).toMatchObject({ name: 'echo' })
    for (const name of ['be1.echo', 'echo']) {
      await expect(vmcp.callTool(null, { name })).rejects.toEqual(new NotFound('tool', name))
    }
    expect(backend.callsOf('callTool')).toHaveLength(1)
  })

  it('CORE-K07 makes headers of the arguments that the schema marks, and of no other', async () => {
    const { vmcp, backend } = serving({ tools: [regional] })
    await vmcp.callTool(null, { name: 'be1_execute_sql', arguments: { region: 'eu-west1', query: 'select 1' } })
    expect(backend.callsOf('callTool')[0]?.options.parameterHeaders).toEqual({ 'Mcp-Param-Region': 'eu-west1' })
  })

  // The reference refuses such an argument. 2026-07-28 has it travel in Base64, and so it cannot forge anything.
  // Deviation: the reference refuses the call. Revision 2026-07-28 carries any text in Base64, which forges nothing.
  it('CORE-K08 encodes an argument that would forge a header', async () => {
    const { vmcp, backend } = serving({ tools: [regional] })
    const region = 'eu\r\nX-Evil: 1'
    await vmcp.callTool(null, { name: 'be1_execute_sql', arguments: { region } })
    expect(backend.callsOf('callTool')[0]?.options.parameterHeaders).toEqual({
      'Mcp-Param-Region': `=?base64?${Buffer.from(region).toString('base64')}?=`,
    })
  })

  it('CORE-K09 sends no headers for a tool that marks nothing', async () => {
    const { vmcp, backend } = serving({})
    await vmcp.callTool(null, { name: 'be1_echo' })
    expect(backend.callsOf('callTool')[0]?.options).not.toHaveProperty('parameterHeaders')
  })

  it('hands over the caller, forwarded headers and the answers of a retry', async () => {
    const { vmcp, backend } = serving({})
    const retry = { inputResponses: { q: { action: 'accept' } }, requestState: '' }
    await vmcp.callTool(alice, { name: 'be1_echo', ...retry }, { forwardedHeaders: { 'x-tenant': 't' } })
    expect(backend.callsOf('callTool')[0]).toMatchObject({
      identity: alice,
      request: retry,
      options: { forwardedHeaders: { 'x-tenant': 't' } },
    })
  })

  it('passes questions of a backend through, without reserved metadata and without a backend', async () => {
    const { vmcp } = serving({
      on: {
        callTool: async () => ({
          resultType: 'input_required',
          inputRequests: { q: { method: 'elicitation/create' } },
          requestState: 's',
          meta: { 'io.modelcontextprotocol/forged': 1 },
        }),
      },
    })
    expect(await vmcp.callTool(null, { name: 'be1_echo' })).toEqual({
      resultType: 'input_required',
      inputRequests: { q: { method: 'elicitation/create' } },
      requestState: 's',
    })
  })

  it('gives the backend the way back to the client', async () => {
    const client = fakeChannel()
    const { vmcp } = serving({
      on: {
        callTool: async (_, _request, options) => {
          options?.client?.notify({ type: 'progress', progress: 1 })
          return { content: [] }
        },
      },
    })
    await vmcp.callTool(null, { name: 'be1_echo' }, { client })
    expect(client.notifications).toEqual([{ type: 'progress', progress: 1 }])
  })

  it('relays an error that the backend answered as it is', async () => {
    const error = new BackendRejected('be1', { code: -32050, message: 'quota', data: { left: 0 } })
    const { vmcp } = serving({ on: { callTool: () => Promise.reject(error) } })
    expect(await rejection(vmcp.callTool(null, { name: 'be1_echo' }))).toBe(error)
  })

  it('takes a client that throws something else for a backend without a usable answer', async () => {
    const cause = new TypeError('fetch failed')
    const { vmcp } = serving({ on: { callTool: () => Promise.reject(cause) } })
    const error = await rejection(vmcp.callTool(null, { name: 'be1_echo' }))
    expect(error).toBeInstanceOf(BackendUnavailable)
    expect(error).toMatchObject({ backendId: 'be1', reason: 'protocol', cause })
    expect(String(error)).not.toContain('fetch failed')
  })

  it('takes a backend that cancels by itself for one that has gone', async () => {
    const { vmcp } = serving({ on: { callTool: () => Promise.reject(new Cancelled()) } })
    const call = vmcp.callTool(null, { name: 'be1_echo' })
    await expect(call).rejects.toMatchObject({ _tag: 'BackendUnavailable', reason: 'closed' })
  })

  it('answers Cancelled at once when the signal aborts, even when the backend does not listen', async () => {
    const controller = new AbortController()
    const { vmcp } = serving({
      on: {
        callTool: () => {
          queueMicrotask(() => controller.abort())
          return new Promise(() => {})
        },
      },
    })
    const call = vmcp.callTool(null, { name: 'be1_echo' }, { signal: controller.signal })
    await expect(call).rejects.toBeInstanceOf(Cancelled)
  })

  describe('and the policy', () => {
    it('CORE-A05 decides a call by the annotations of the tool', async () => {
      const { vmcp, backend } = serving(
        {
          tools: [
            tool('ro', { annotations: { readOnlyHint: true } }),
            tool('rw', { annotations: { readOnlyHint: false } }),
          ],
        },
        cedar(
          'permit(principal, action, resource) when { resource has readOnlyHint && resource.readOnlyHint == true };',
        ),
      )
      expect((await vmcp.listTools(alice)).map(({ name }) => name)).toEqual(['be1_ro'])
      await vmcp.callTool(alice, { name: 'be1_ro' })
      await expect(vmcp.callTool(alice, { name: 'be1_rw' })).rejects.toEqual(new AuthorizationDenied('call'))
      expect(backend.callsOf('callTool')).toHaveLength(1)
    })

    it('CORE-A08 CORE-A09 denies a hidden tool before it is missed', async () => {
      const { vmcp, backend } = serving(
        { tools: [tool('visible'), tool('hidden')] },
        {
          ...cedar('permit(principal == Client::"nobody", action, resource);'),
          aggregation: { tools: [{ workload: 'be1', filter: ['visible'] }] },
        },
      )
      for (const name of ['be1_visible', 'be1_hidden', 'be1_nothing']) {
        await expect(vmcp.callTool(alice, { name })).rejects.toEqual(new AuthorizationDenied('call'))
      }
      expect(backend.callsOf('callTool')).toEqual([])
    })

    it('CORE-A10 AGG-A20 does not find a hidden tool', async () => {
      const { vmcp, backend } = serving(
        { tools: [tool('visible'), tool('hidden')] },
        { aggregation: { tools: [{ workload: 'be1', filter: ['visible'] }] } },
      )
      await expect(vmcp.callTool(alice, { name: 'be1_hidden' })).rejects.toEqual(new NotFound('tool', 'be1_hidden'))
      expect(backend.callsOf('callTool')).toEqual([])
    })

    // We have no separate check verb; the same holds for the call itself.
    it('CORE-A16 does not take a failed aggregation for a denial', async () => {
      const { vmcp } = serving(
        { on: { describe: () => Promise.reject(new BackendUnavailable('be1', 'unreachable')) } },
        cedar(permitAll),
      )
      await expect(vmcp.callTool(alice, { name: 'be1_echo' })).rejects.toBeInstanceOf(BackendUnavailable)
    })

    it('SRV-Z072 answers a forbidden tool with a denial that names the kind only, and never calls it', async () => {
      const { vmcp, backend } = serving({}, cedar('permit(principal, action, resource == Tool::"unrelated");'))
      const error = await rejection(vmcp.callTool(alice, { name: 'be1_echo' }))
      expect(error).toMatchObject({ message: 'call denied by authorization policy' })
      expect(await vmcp.listTools(alice)).toEqual([])
      expect(backend.callsOf('callTool')).toEqual([])
    })
  })

  describe('case 15 arguments', () => {
    const given = async (request: CallToolRequest): Promise<unknown> => {
      const { vmcp, backend } = serving({}, cedar(permitAll))
      await vmcp.callTool(alice, request)
      return backend.callsOf('callTool')[0]?.request
    }

    it('case 15 takes absent ones as an empty object', async () => {
      expect(await given({ name: 'be1_echo' })).toMatchObject({ arguments: {} })
    })

    it('case 15 keeps a null inside', async () => {
      expect(await given({ name: 'be1_echo', arguments: { a: null } })).toEqual({
        name: 'echo',
        arguments: { a: null },
      })
    })

    it.each([
      ['null', null],
      ['array', []],
      ['string', 'x'],
      ['number', 1],
    ])('case 15 refuses %s', async (type, args) => {
      const { vmcp, backend } = serving({})
      const request = JSON.parse(JSON.stringify({ name: 'be1_echo', arguments: args }))
      const error = await rejection(vmcp.callTool(alice, request))
      expect(error).toBeInstanceOf(InvalidInput)
      expect(error).toMatchObject({
        message: `invalid input: arguments must be object, got ${type}`,
        field: 'arguments',
      })
      expect(backend.callsOf('callTool')).toEqual([])
    })

    it('case 15 shows the policy the values that the backend gets', async () => {
      const { vmcp, backend } = serving(
        {},
        cedar('permit(principal, action, resource) when { context has arg_env && context.arg_env == "dev" };'),
      )
      await vmcp.callTool(alice, { name: 'be1_echo', arguments: { env: 'dev', big: 9007199254740991 } })
      expect(backend.callsOf('callTool')[0]?.request).toMatchObject({
        arguments: { env: 'dev', big: 9007199254740991 },
      })
      await expect(vmcp.callTool(alice, { name: 'be1_echo' })).rejects.toBeInstanceOf(AuthorizationDenied)
    })
  })
})

describe('close', () => {
  it('CORE-C08 ends well three times, closing each backend once', async () => {
    const { vmcp, backend } = serving({})
    await vmcp.close()
    await vmcp.close()
    await vmcp.close()
    expect(backend.callsOf('close')).toHaveLength(1)
  })

  it('closes the other backends when one fails', async () => {
    const broken = scriptedBackend({ id: 'a', on: { close: () => Promise.reject(new Error('broken pipe')) } })
    const sound = scriptedBackend({ id: 'b' })
    const vmcp = createVMCP({ name: 'gateway', backends: [broken, sound] })
    await expect(vmcp.close()).resolves.toBeUndefined()
    expect(sound.callsOf('close')).toHaveLength(1)
  })

  it('lets a running call end', async () => {
    let answer = (): void => {}
    const called = new Promise<void>((resolve) => (answer = resolve))
    let finish = (): void => {}
    const { vmcp } = serving({
      on: {
        callTool: () => {
          answer()
          return new Promise((resolve) => (finish = () => resolve({ content: [] })))
        },
      },
    })
    const call = vmcp.callTool(null, { name: 'be1_echo' })
    await called
    const closed = vmcp.close()
    await expect(vmcp.listTools(null)).rejects.toBeInstanceOf(Cancelled)
    finish()
    await expect(call).resolves.toMatchObject({ backendId: 'be1' })
    await closed
  })
})

describe('a backend that hangs', () => {
  it('does not hold up another', async () => {
    const stuck = scriptedBackend({
      id: 'stuck',
      tools: [tool('t')],
      on: { callTool: (_, _request, options) => untilAborted(options?.signal) },
    })
    const quick = scriptedBackend({ id: 'quick', tools: [tool('t')] })
    const vmcp = createVMCP({ name: 'gateway', backends: [stuck, quick] })
    const controller = new AbortController()
    const waiting = rejection(vmcp.callTool(null, { name: 'stuck_t' }, { signal: controller.signal }))
    await expect(vmcp.callTool(null, { name: 'quick_t' })).resolves.toMatchObject({ backendId: 'quick' })
    controller.abort()
    expect(await waiting).toBeInstanceOf(Cancelled)
  })
})
