import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { z } from 'zod'
import type { RawClient, TestClientOptions } from './test-client.js'
import { declaredCapabilities } from './test-client.js'

/** A client of SDK 1.x, which speaks 2025 only. */
export async function connectV1(options: TestClientOptions): Promise<RawClient> {
  const { url, headers, onElicitation, onSampling, roots, onNotification } = options
  const client = new Client(
    { name: 'test-client-v1', version: '1.0.0' },
    { capabilities: declaredCapabilities(options) },
  )
  const asked = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
  if (onElicitation) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => onElicitation(asked(params)) as never)
  }
  if (onSampling) {
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => onSampling(asked(params)) as never)
  }
  if (roots) client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots }) as never)
  client.fallbackNotificationHandler = async (notification) =>
    onNotification?.(notification.method, asked(notification.params))

  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } })
  await client.connect(transport as Parameters<Client['connect']>[0])
  const negotiated: unknown = transport.protocolVersion
  return {
    protocolVersion: typeof negotiated === 'string' ? negotiated : undefined,
    serverInfo: { ...client.getServerVersion() },
    capabilities: { ...client.getServerCapabilities() },
    instructions: client.getInstructions(),
    sessionId: transport.sessionId,
    request: async (method, params, { signal, onProgress, timeoutMs }) => {
      const result = await client.request({ method, params } as never, z.looseObject({}), {
        ...(signal !== undefined && { signal }),
        ...(onProgress !== undefined && { onprogress: (progress) => onProgress({ ...progress }) }),
        ...(timeoutMs !== undefined && { timeout: timeoutMs }),
      })
      return result
    },
    listen: () => Promise.reject(new Error('SDK 1.x has no subscriptions/listen')),
    close: async () => {
      await transport.terminateSession().catch(() => {})
      await client.close()
    },
  }
}
