import { afterEach, describe, expect, it } from 'vitest'
import type { BackendClient, CallNotification, ClientChannel } from '@vmcp/domain'
import { text } from '@vmcp/domain'
import type { FixtureServer, FixtureServerOptions } from '../testing/index.js'
import { startFixtureServer } from '../testing/index.js'
import { connectBackend } from './connect-backend.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

async function fixture(options: FixtureServerOptions = {}): Promise<FixtureServer> {
  const server = await startFixtureServer(options)
  open.push(() => server.close())
  return server
}

function backend(url: string, more: Partial<Parameters<typeof connectBackend>[0]> = {}): Required<BackendClient> {
  const client = connectBackend({ id: 'fixture', target: { transport: 'streamable-http', url }, ...more })
  open.push(() => client.close())
  return client as Required<BackendClient>
}

function listeningClient(): { readonly client: ClientChannel; readonly heard: CallNotification[] } {
  const heard: CallNotification[] = []
  const notify = (notification: CallNotification) => void heard.push(notification)
  return { client: { capabilities: {}, answers: 'push', wantsProgress: true, notify }, heard }
}

const servers: readonly (FixtureServerOptions & { readonly speaks: string })[] = [
  { sdk: 'v2', era: '2026', speaks: '2026-07-28' },
  { sdk: 'v2', era: 'both', speaks: '2026-07-28' },
  { sdk: 'v2', era: '2025', speaks: '2025-11-25' },
  { sdk: 'v1', speaks: '2025-11-25' },
]

describe.each(servers)('connectBackend with a server of SDK $sdk, era $era', (options) => {
  it('describes the backend in the era it speaks', async () => {
    const { url } = await fixture(options)
    const description = await backend(url).describe(null)
    expect(description.protocolVersion).toBe(options.speaks)
    expect(description.serverInfo?.name).toBe(`fixture-${options.sdk}`)
    expect(description.capabilities.tools).toEqual({ listChanged: true })
  })

  it('AGG-L15 lists tools with every field, known or not', async () => {
    const { url } = await fixture(options)
    const { items } = await backend(url).listTools(null, {})
    expect(items[0]).toMatchObject({
      name: 'echo',
      title: 'Echo',
      annotations: { readOnlyHint: true, custom: 'kept' },
      icons: [{ vendorField: 1 }],
      vendorField: { kept: true },
      meta: { 'acme/tool': true },
    })
    expect(items[0]).not.toHaveProperty('_meta')
  })

  it('calls tools and keeps structured content', async () => {
    const { url } = await fixture(options)
    const client = backend(url)
    expect(await client.callTool(null, { name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [text('hi')],
    })
    expect(await client.callTool(null, { name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    })
  })

  it('keeps unknown content blocks and fields, and drops reserved metadata', async () => {
    const { url } = await fixture(options)
    const result = await backend(url).callTool(null, { name: 'odd' })
    expect(result).toEqual({
      content: [
        { type: 'hologram', data: { deep: [1, 2] } },
        { type: 'text', text: 'plain', annotations: { priority: 0, custom: true }, meta: { 'acme/block': 1 } },
        { type: 'resource', resource: { uri: 'fixture://x', text: 'y', extra: true, meta: { 'acme/inner': 1 } } },
      ],
      structuredContent: { big: 9007199254740991 },
      vendorField: 'kept',
      meta: { 'acme/cost': 2 },
    })
  })

  it('AGG-L05 gives a failed tool as a result', async () => {
    const { url } = await fixture(options)
    expect(await backend(url).callTool(null, { name: 'fail' })).toMatchObject({ isError: true })
  })

  it('reads resources, templates, prompts and completions', async () => {
    const { url } = await fixture(options)
    const client = backend(url)
    expect((await client.listResources(null, {})).items).toEqual([
      { uri: 'fixture://readme', name: 'readme', mimeType: 'text/plain', vendorField: 1 },
    ])
    expect((await client.listResourceTemplates(null, {})).items).toHaveLength(1)
    expect(await client.readResource(null, { uri: 'fixture://item/7' })).toMatchObject({
      contents: [{ text: 'item 7' }],
    })
    expect((await client.listPrompts(null, {})).items[0]?.arguments?.[0]?.title).toBe('Whom to greet')
    expect(await client.getPrompt(null, { name: 'greet', arguments: { who: 'Ada' } })).toMatchObject({
      messages: [{ content: text('Greet Ada') }],
    })
    const ref = { type: 'ref/prompt' as const, name: 'greet' }
    expect(await client.complete(null, { ref, argument: { name: 'who', value: 'A' } })).toEqual({
      values: ['Ada', 'Alan'],
      total: 2,
      hasMore: false,
    })
  })

  it('AGG-L18 relays progress before the result, and only to a client that wants it', async () => {
    const { url } = await fixture(options)
    const wire = backend(url)
    const { client, heard } = listeningClient()
    await wire.callTool(null, { name: 'progress', meta: { progressToken: 'p-1' } }, { client })
    expect(heard).toEqual(
      [1, 2, 3].map((progress) => ({ type: 'progress', progress, total: 3, message: `step ${progress}` })),
    )
    await wire.callTool(null, { name: 'progress' }, { client: { ...client, wantsProgress: false } })
    expect(heard).toHaveLength(3)
  })

  it('forwards metadata without reserved keys and without the foreign progress token', async () => {
    const { url } = await fixture(options)
    const meta = { 'acme/trace': 't', progressToken: 7, 'io.modelcontextprotocol/protocolVersion': '1999-01-01' }
    const result = await backend(url).callTool(null, { name: 'meta', meta })
    const seen = JSON.parse(firstText(result))
    expect(seen['acme/trace']).toBe('t')
    expect(seen).not.toHaveProperty('progressToken')
    expect(seen['io.modelcontextprotocol/protocolVersion']).not.toBe('1999-01-01')
    expect(meta.progressToken).toBe(7)
  })

  it('relays a JSON-RPC error exactly', async () => {
    const { url } = await fixture(options)
    await expect(backend(url).callTool(null, { name: 'reject' })).rejects.toMatchObject({
      _tag: 'BackendRejected',
      code: -32055,
      message: 'odd refusal',
      data: { reason: 'because' },
    })
  })

  it('cancels the call at the backend when the signal aborts', async () => {
    const server = await fixture(options)
    const client = backend(server.url)
    const { signal, abort } = abortable()
    const call = client.callTool(null, { name: 'hang' }, { signal })
    await server.arrived(({ params }) => params?.['name'] === 'hang')
    abort()
    await expect(call).rejects.toMatchObject({ _tag: 'Cancelled' })
    if (options.speaks === '2025-11-25') {
      const hang = await server.arrived(({ params }) => params?.['name'] === 'hang')
      const cancelled = await server.arrived(({ method }) => method === 'notifications/cancelled')
      expect(cancelled.params?.['requestId']).toBe(hang.id)
    }
  })

  it('reports list changes to a subscriber', async () => {
    const server = await fixture(options)
    const client = backend(server.url)
    const heard = new Promise((resolve) => client.subscribe(resolve))
    await client.describe(null)
    await server.arrived(({ httpMethod, method }) =>
      options.speaks === '2025-11-25' ? httpMethod === 'GET' : method === 'subscriptions/listen',
    )
    const repeat = setInterval(() => void server.notifyListChanged('tools'), 20)
    expect(await heard).toEqual({ type: 'list-changed', list: 'tools' })
    clearInterval(repeat)
  })

  it('reports updates of a watched resource until nobody watches it', async () => {
    const server = await fixture(options)
    const client = backend(server.url)
    const heard = new Promise((resolve) => client.subscribe(resolve))
    const stop = [client.watchResource(null, 'fixture://readme'), client.watchResource(null, 'fixture://readme')]
    const isModern = options.speaks === '2026-07-28'
    await server.arrived(({ method, params }) =>
      isModern
        ? method === 'subscriptions/listen' && JSON.stringify(params).includes('fixture://readme')
        : method === 'resources/subscribe',
    )
    const repeat = setInterval(() => void server.notifyResourceUpdated('fixture://readme'), 20)
    expect(await heard).toEqual({ type: 'resource-updated', uri: 'fixture://readme' })
    clearInterval(repeat)
    for (const end of stop) end()
    if (!isModern) await server.arrived(({ method }) => method === 'resources/unsubscribe')
    expect(server.count('resources/subscribe')).toBe(isModern ? 0 : 1)
  })

  it('is alive to a probe', async () => {
    const { url } = await fixture(options)
    const client = backend(url)
    await client.probe()
    await client.probe()
  })
})

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

function firstText(result: object): string {
  const { content = [] } = result as { readonly content?: readonly { readonly text: string }[] }
  return content[0]?.text ?? ''
}
