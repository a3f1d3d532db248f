import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { passThrough } from './pass-through.js'
import type { RawClient, TestClientOptions } from './test-client.js'
import { declaredCapabilities } from './test-client.js'

/** A client of SDK 2.x. */
export async function connectV2(options: TestClientOptions): Promise<RawClient> {
  const { url, era = '2025', headers, onElicitation, onSampling, roots, onNotification } = options
  const mode = era === '2026' ? { pin: '2026-07-28' } : era === 'auto' ? ('auto' as const) : ('legacy' as const)
  const client = new Client(
    { name: 'test-client-v2', version: '2.0.0' },
    { capabilities: declaredCapabilities(options), versionNegotiation: { mode } },
  )
  const params = { params: passThrough }
  const asked = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
  if (onElicitation)
    client.setRequestHandler('elicitation/create', params, async (value) => onElicitation(asked(value)))
  if (onSampling) client.setRequestHandler('sampling/createMessage', params, async (value) => onSampling(asked(value)))
  if (roots) client.setRequestHandler('roots/list', params, async () => ({ roots }))
  client.fallbackNotificationHandler = async (notification) =>
    onNotification?.(notification.method, asked(notification.params))

  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } })
  await client.connect(transport)
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    serverInfo: { ...client.getServerVersion() },
    capabilities: { ...client.getServerCapabilities() },
    instructions: client.getInstructions(),
    sessionId: transport.sessionId,
    request: async (method, sent, { signal, onProgress, timeoutMs }) => {
      const result = await client.request({ method, params: { ...sent } }, passThrough, {
        ...(signal !== undefined && { signal }),
        ...(onProgress !== undefined && { onprogress: (progress) => onProgress({ ...progress }) }),
        ...(timeoutMs !== undefined && { timeout: timeoutMs }),
      })
      return asked(result)
    },
    listen: async (filter) => {
      const subscription = await client.listen({ ...filter })
      return () => subscription.close()
    },
    close: async () => {
      await transport.terminateSession().catch(() => {})
      await client.close()
    },
  }
}
