import type { CallOptions } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import { envelope, messagesOf, stateless } from '../testing/wire.js'

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'vmcp', version: '1.0.0' } }

describe('a result that needs answers', () => {
  const pending = {
    resultType: 'input_required',
    inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } } },
    requestState: '',
  } as const

  it('is relayed with its questions and state to a client that can answer', async () => {
    const seen: CallOptions[] = []
    const server = await startServer({
      callTool: async (_identity, _request, options) => (seen.push(options!), pending),
    })

    const [answer] = await messagesOf(
      await stateless(server, 'tools/call', { name: 't', _meta: envelope({ elicitation: {} }) }),
    )

    expect(answer.result).toEqual({ ...pending, _meta: serverInfo })
    expect(seen[0]?.client).toMatchObject({ answers: 'retry', capabilities: { elicitation: { form: true } } })
    expect(seen[0]?.client?.elicitation).toBeUndefined()
  })

  it('SRV-M053 is refused with 400 and -32021 for a client that cannot (400, not 200: SEP-2575)', async () => {
    const response = await stateless(await startServer({ callTool: async () => pending }), 'tools/call', { name: 't' })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: -32021,
        message: 'the client does not support elicitation',
        data: { requiredCapabilities: { elicitation: {} } },
      },
    })
  })

  it('is answered by a retry whose answers and state reach the VMCP', async () => {
    const seen: unknown[] = []
    const server = await startServer({
      getPrompt: async (_identity, request) => (seen.push(request), { messages: [] }),
    })
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } }

    await stateless(server, 'prompts/get', { name: 'p', inputResponses, requestState: '' })

    expect(seen).toEqual([{ name: 'p', meta: expect.anything(), inputResponses, requestState: '' }])
  })

  it.each([{ inputResponses: [] }, { inputResponses: { who: 'text' } }, { requestState: 7 }])(
    'is not answered by %j',
    async (params) => {
      const response = await stateless(await startServer(), 'tools/call', { name: 't', ...params })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: -32602 } })
    },
  )
})
