import type { JsonObject } from '@vmcp/domain'
import { isEventStream, takeMessages } from './event-messages.js'

/** A client that answers questions with whatever it likes: official clients refuse to send what the protocol forbids. */
export interface LawlessClient {
  callTool(name: string, input: JsonObject): Promise<void>
  close(): Promise<void>
}

const version = '2025-11-25'

/** Opens a session and answers each question of a call with the raw `answer`. */
export async function connectLawlessClient(url: string, answer: JsonObject): Promise<LawlessClient> {
  const capabilities = { elicitation: { form: {} } }
  const opened = await post(url, {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: version, capabilities, clientInfo: { name: 'lawless', version: '1.0.0' } },
  })
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': version }
  const send = (message: JsonObject) => post(url, message, session)
  await (await send({ method: 'notifications/initialized' })).text()

  return {
    callTool: async (name, input) => {
      const response = await send({ id: 2, method: 'tools/call', params: { name, arguments: input } })
      for await (const message of messagesOf(response)) {
        if (message['method'] === 'elicitation/create') await (await send({ id: message['id'], result: answer })).text()
        if (message['id'] === 2) return
      }
    },
    close: async () => {
      await (await fetch(url, { method: 'DELETE', headers: session })).text()
    },
  }
}

function post(url: string, message: JsonObject, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
}

async function* messagesOf(response: Response): AsyncGenerator<JsonObject> {
  const isStream = isEventStream(response.headers.get('content-type'))
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (!isStream) continue
    const { messages, rest } = takeMessages(text)
    text = rest
    for (const message of messages) yield JSON.parse(message) as JsonObject
  }
  if (!isStream && text !== '') yield JSON.parse(text) as JsonObject
}
