import type { CallOptions, JsonObject, VMCP } from '@vmcp/domain'
import { AuthorizationDenied, Cancelled, NotFound } from '@vmcp/domain'
import type { RunningServer } from '../serve.js'
import { cancellable, deniedKind, failureOf } from './wire-failure.js'
import type { Json } from './wire.js'
import { envelope, messagesOf, openSession, post } from './wire.js'

/** A served `VMCP` as its clients see it, put back behind the interface: what the contract suite holds to. */
export async function connectVmcp(server: RunningServer, era: '2025' | '2026'): Promise<VMCP> {
  const session = era === '2025' ? await openSession(server) : undefined
  const closing = new AbortController()
  let lastId = 0

  const vmcp: VMCP = {
    listTools: async (_identity, options) => (await ask('tools/list', {}, options)).tools,
    listResources: async (_identity, options) => (await ask('resources/list', {}, options)).resources,
    listResourceTemplates: async (_identity, options) =>
      (await ask('resources/templates/list', {}, options)).resourceTemplates,
    listPrompts: async (_identity, options) => (await ask('prompts/list', {}, options)).prompts,
    callTool: async (_identity, request, options) => {
      const result = await ask('tools/call', request, options)
      const denied = result.isError === true ? deniedKind(result.content[0]?.text) : undefined
      if (denied !== undefined) throw new AuthorizationDenied(denied)
      return result
    },
    readResource: (_identity, request, options) => ask('resources/read', request, options),
    getPrompt: (_identity, request, options) => ask('prompts/get', request, options),
    complete: async (_identity, request, options) => (await ask('completion/complete', request, options)).completion,
    lookupTool: async (identity, name, options) =>
      find(await vmcp.listTools(identity, options), (tool) => tool.name === name, new NotFound('tool', name)),
    lookupResource: async (identity, uri, options) => {
      const templates = await vmcp.listResourceTemplates(identity, options)
      const asResources = templates.map(({ uriTemplate, ...template }) => ({ ...template, uri: uriTemplate }))
      const all = [...(await vmcp.listResources(identity, options)), ...asResources]
      return find(all, (resource) => resource.uri === uri, new NotFound('resource', uri))
    },
    lookupPrompt: async (identity, name, options) =>
      find(await vmcp.listPrompts(identity, options), (prompt) => prompt.name === name, new NotFound('prompt', name)),
    close: async () => {
      closing.abort()
      await server.close()
    },
  }
  return vmcp

  async function ask(method: string, request: object, options: CallOptions = {}): Promise<Json> {
    if (closing.signal.aborted) throw new Cancelled()
    const signal = AbortSignal.any([closing.signal, ...(options.signal === undefined ? [] : [options.signal])])
    const { meta, ...params } = request as JsonObject
    const id = (lastId += 1)
    const name = params['name'] ?? params['uri']
    const message = await cancellable(signal, async () => {
      const response =
        session === undefined ? send() : session.send({ id, method, params: { ...params, _meta: meta ?? {} } })
      signal.addEventListener('abort', () => void cancel(id))
      return (await messagesOf(await response)).at(-1)
    })
    if (message.error !== undefined) throw failureOf(message.error, String(name ?? ''))
    const { _meta, resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result } = message.result
    return result

    function send(): Promise<Response> {
      const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...(meta as object), ...envelope() } } }
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
      return post(
        server,
        JSON.stringify(body),
        { ...headers, ...(typeof name === 'string' && { 'mcp-name': name }) },
        signal,
      )
    }
  }

  async function cancel(requestId: number): Promise<void> {
    const message = { method: 'notifications/cancelled', params: { requestId } }
    await session?.send(message).catch(() => undefined)
  }
}

function find<Item>(items: readonly Item[], matches: (item: Item) => boolean, missing: NotFound): Item {
  const found = items.find(matches)
  if (found === undefined) throw missing
  return found
}
