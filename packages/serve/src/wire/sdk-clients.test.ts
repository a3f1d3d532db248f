import { AuthorizationDenied, NotFound, text } from '@vmcp/domain'
import type { VMCP, VmcpEvent, VmcpEvents } from '@vmcp/domain'
import type { TestClient, TestClientOptions } from '@vmcp/sdk-adapter/testing'
import { connectClient } from '@vmcp/sdk-adapter/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../testing/deferred.js'
import { startServer } from '../testing/start-server.js'

type Peer = Pick<TestClientOptions, 'sdk' | 'era'>

const withSessions: readonly Peer[] = [{ sdk: 'v1' }, { sdk: 'v2', era: '2025' }]
const stateless: readonly Peer[] = [
  { sdk: 'v2', era: '2026' },
  { sdk: 'v2', era: 'auto' },
]

const nameOf = ({ sdk, era = '2025' }: Peer) => `SDK ${sdk} (${era})`

const offer: Partial<VMCP> = {
  listTools: async () =>
    Array.from({ length: 1005 }, (_, index) => ({
      name: `tool_${String(index).padStart(4, '0')}`,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    })),
  lookupTool: async (_identity, name) => ({ name, inputSchema: { type: 'object' } }),
  callTool: async (_identity, { name, arguments: given }) => {
    if (name === 'denied') throw new AuthorizationDenied('call')
    if (name === 'missing') throw new NotFound('tool', name)
    return { content: [text(JSON.stringify(given))], structuredContent: { given } }
  },
  listResources: async () => [{ uri: 'file:///a', name: 'a' }],
  listResourceTemplates: async () => [{ uriTemplate: 'file:///{path}', name: 'files' }],
  readResource: async (_identity, { uri }) => ({ contents: [{ uri, text: 'content' }] }),
  listPrompts: async () => [{ name: 'greet', arguments: [{ name: 'who', title: 'Who' }] }],
  getPrompt: async (_identity, { arguments: given }) => ({
    messages: [{ role: 'user', content: text(`hello ${given?.['who']}`) }],
  }),
  complete: async (_identity, { argument }) => ({ values: [`${argument.value}!`], total: 1, hasMore: false }),
}

describe.each([...withSessions, ...stateless].map((peer) => ({ name: nameOf(peer), peer })))('$name', ({ peer }) => {
  it('connects, and reads every list to its end', async () => {
    const client = await connect(peer)

    expect(client.serverInfo).toMatchObject({ name: 'vmcp', version: '1.0.0' })
    expect(client.protocolVersion).toBe(withSessions.includes(peer) ? '2025-11-25' : '2026-07-28')
    expect((await client.listTools()).length).toBe(1005)
    expect(await client.listResources()).toEqual([{ uri: 'file:///a', name: 'a' }])
    expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: 'file:///{path}' }])
    expect(await client.listPrompts()).toEqual([{ name: 'greet', arguments: [{ name: 'who', title: 'Who' }] }])
  })

  it('calls, reads, gets and completes', async () => {
    const client = await connect(peer)

    expect(await client.callTool('echo', { n: 1 })).toMatchObject({
      content: [{ type: 'text', text: '{"n":1}' }],
      structuredContent: { given: { n: 1 } },
    })
    expect(await client.readResource('file:///größe')).toMatchObject({ contents: [{ text: 'content' }] })
    expect(await client.getPrompt('greet', { who: 'Ada' })).toMatchObject({
      messages: [{ content: { text: 'hello Ada' } }],
    })
    const ref = { type: 'ref/prompt', name: 'greet' }
    expect(await client.complete(ref, { name: 'who', value: 'A' })).toMatchObject({ completion: { values: ['A!'] } })
  })

  it('learns of an unknown tool as an error with -32602', async () => {
    const client = await connect(peer)

    await expect(client.callTool('missing')).rejects.toMatchObject({ code: -32602 })
  })

  it('hears progress and log messages before the result', async () => {
    const heard: string[] = []
    const client = await connect(
      peer,
      {
        callTool: async (_identity, _request, options) => {
          options?.client?.notify({ type: 'progress', progress: 1, total: 2 })
          options?.client?.notify({ type: 'log', level: 'error', data: 'bad' })
          return { content: [] }
        },
      },
      { onNotification: (method) => heard.push(method) },
    )

    await client.callTool('work', {}, { onProgress: ({ progress }) => heard.push(`progress ${String(progress)}`) })

    const expected = withSessions.includes(peer) ? ['progress 1', 'notifications/message'] : ['progress 1']
    expect(heard).toEqual(expected)
  })

  it('cancels a call down to the VMCP', async () => {
    const started = deferred<AbortSignal>()
    const client = await connect(peer, {
      callTool: (_identity, _request, options) => {
        started.resolve(options!.signal!)
        return new Promise(() => {})
      },
    })
    const controller = new AbortController()
    const call = client.callTool('hang', {}, { signal: controller.signal }).catch(() => 'rejected')
    const signal = await started.promise
    const aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')))

    controller.abort()

    expect(await aborted).toBe('aborted')
    expect(await call).toBe('rejected')
  })

  it('answers a question of a call that needs one', async () => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const client = await connect(
      peer,
      {
        callTool: async (_identity, { inputResponses }) => {
          if (inputResponses !== undefined) return { content: [text(JSON.stringify(inputResponses['who']))] }
          const params = { message: 'Who?', mode: 'form', requestedSchema }
          return { resultType: 'input_required', inputRequests: { who: { method: 'elicitation/create', params } } }
        },
      },
      { onElicitation: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    )

    const result = await client.callTool('ask')

    expect(result).toMatchObject({ content: [{ text: '{"action":"accept","content":{"name":"Ada"}}' }] })
  })
})

describe.each(withSessions.map((peer) => ({ name: nameOf(peer), peer })))('a session of $name', ({ peer }) => {
  it('is asked while its call runs, for form, sampling and roots', async () => {
    const client = await connect(
      peer,
      {
        callTool: async (_identity, _request, options) => {
          const { elicitation, forward } = options!.client!
          const answers = [
            await elicitation!.requestElicitation({
              message: 'm',
              requestedSchema: { type: 'object', properties: {} },
            }),
            await forward!({ method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }),
            await forward!({ method: 'roots/list' }),
          ]
          return { content: answers.map((answer) => text(JSON.stringify(answer))) }
        },
      },
      {
        onElicitation: () => ({ action: 'decline' }),
        onSampling: () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }),
        roots: [{ uri: 'file:///r' }],
      },
    )

    const { content } = await client.callTool('ask')

    expect(content).toMatchObject([
      { text: '{"action":"decline"}' },
      { text: expect.stringContaining('"model":"m"') },
      { text: expect.stringContaining('file:///r') },
    ])
  })

  it('reads a denial as a result', async () => {
    const client = await connect(peer)

    expect(await client.callTool('denied')).toMatchObject({
      isError: true,
      content: [{ text: 'call denied by authorization policy' }],
    })
  })

  it('hears of changes on its own stream', async () => {
    const listening = deferred<(event: VmcpEvent) => void>()
    const heard = deferred<string>()
    await connect(
      peer,
      {},
      { onNotification: (method) => heard.resolve(method) },
      {
        subscribe: (_identity, listener) => (listening.resolve(listener), () => {}),
      },
    )

    const emit = await listening.promise
    emit({ type: 'list-changed', list: 'tools' })

    expect(await heard.promise).toBe('notifications/tools/list_changed')
  })

  it('ends with the client', async () => {
    const client = await connect(peer)
    const { sessionId } = client
    await client.close()

    expect(sessionId).toMatch(/^[\x21-\x7e]+$/)
  })
})

describe('a subscription of SDK v2 (2026)', () => {
  it('is acknowledged, hears of what it asked for, and ends', async () => {
    const listening = deferred<(event: VmcpEvent) => void>()
    const gone = deferred()
    const heard = deferred<string>()
    const client = await connect(
      { sdk: 'v2', era: '2026' },
      {},
      { onNotification: (method) => heard.resolve(method) },
      {
        subscribe: (_identity, listener) => {
          listening.resolve(listener)
          return () => gone.resolve()
        },
      },
    )

    const end = await client.listen({ toolsListChanged: true })
    const emit = await listening.promise
    emit({ type: 'list-changed', list: 'prompts' })
    emit({ type: 'list-changed', list: 'tools' })

    expect(await heard.promise).toBe('notifications/tools/list_changed')
    await end()
    await gone.promise
  })
})

async function connect(
  peer: Peer,
  vmcp: Partial<VMCP> = {},
  options: Partial<TestClientOptions> = {},
  events?: VmcpEvents,
): Promise<TestClient> {
  const server = await startServer({ ...offer, ...vmcp }, events === undefined ? {} : { events })
  const client = await connectClient({ ...peer, url: server.url, ...options })
  onTestFinished(() => client.close())
  return client
}
