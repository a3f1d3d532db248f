import { randomBytes } from 'node:crypto'
import type { ServerContext } from '@modelcontextprotocol/server'
import { createRequestStateCodec, ProtocolError, Server } from '@modelcontextprotocol/server'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { passThrough } from '../pass-through.js'
import { InputNeeded } from './ask-client.js'
import { callOf } from './call-of.js'
import { textResult } from './content.js'
import type { ChangingLists } from './changing-lists.js'
import { readResource, resources, resourceTemplates } from './resources.js'

/** The name that the fixture gives as its own. The gateway in front of it must not show it. */
export const conformanceServerName = 'conformance-fixture'

const invalidParams = -32602
const codec = createRequestStateCodec<JsonObject>({ key: randomBytes(32) })

const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

/** A server of SDK 2.x with everything that the conformance suite calls, for one session (2025) or request (2026). */
export function conformanceServer(era: '2025' | '2026', lists: ChangingLists): Server {
  const server = new Server(
    { name: conformanceServerName, version: '1.0.0' },
    { capabilities, requestState: { verify: codec.verify } },
  )
  const handle = (method: string, answer: (params: JsonObject, context: ServerContext) => unknown) =>
    server.setRequestHandler(method, { params: passThrough, result: passThrough }, async (params, context) => {
      try {
        return await answer(isJsonObject(params) ? params : {}, context)
      } catch (error) {
        if (error instanceof InputNeeded) return inputRequired(error)
        throw error
      }
    })

  handle('tools/list', () => ({ tools: lists.tools().map(({ definition }) => definition) }))
  handle('tools/call', async (params, context) => {
    const called = lists.tools().find(({ definition }) => definition.name === params['name'])
    if (called === undefined) throw new ProtocolError(invalidParams, `Unknown tool: ${String(params['name'])}`)
    try {
      return await called.call(callOf(params, context, { era, server, lists }))
    } catch (error) {
      if (era === '2026') throw error
      return { ...textResult(error instanceof Error ? error.message : 'failed'), isError: true }
    }
  })
  handle('prompts/list', () => ({ prompts: lists.prompts().map(({ definition }) => definition) }))
  handle('prompts/get', (params, context) => {
    const asked = lists.prompts().find(({ definition }) => definition.name === params['name'])
    if (asked === undefined) throw new ProtocolError(invalidParams, `Unknown prompt: ${String(params['name'])}`)
    return asked.get(callOf(params, context, { era, server, lists }))
  })
  handle('resources/list', () => ({ resources }))
  handle('resources/templates/list', () => ({ resourceTemplates }))
  handle('resources/read', ({ uri }) => {
    const contents = readResource(String(uri))
    if (contents === undefined) throw new ProtocolError(invalidParams, 'Resource not found', { uri })
    return { contents: [contents] }
  })
  handle('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }))
  if (era === '2025') {
    handle('resources/subscribe', () => ({}))
    handle('resources/unsubscribe', () => ({}))
  }
  return server
}

async function inputRequired({ questions, known }: InputNeeded): Promise<JsonObject> {
  return {
    resultType: 'input_required',
    inputRequests: questions,
    ...(known !== undefined && { requestState: await codec.mint(known) }),
  }
}
