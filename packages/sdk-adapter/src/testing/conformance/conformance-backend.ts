import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sdkV2 } from '../fixture-sdk-v2.js'
import { changingLists } from './changing-lists.js'
import { conformanceServer } from './conformance-server.js'
import { memoryEventStore } from './event-store.js'

/** Which eras the conformance backend serves. */
export interface ConformanceBackendOptions {
  /** `both` when absent. */
  readonly era?: '2025' | '2026' | 'both'
}

/** A running conformance backend. */
export interface ConformanceBackend {
  readonly url: string
  close(): Promise<void>
}

/** Starts an MCP server over streamable HTTP with every tool, prompt and resource that the official conformance suite calls. */
export async function startConformanceBackend({
  era = 'both',
}: ConformanceBackendOptions = {}): Promise<ConformanceBackend> {
  const lists = changingLists((list) => served.notifyListChanged(list))
  const served = sdkV2({
    era,
    build: (servedEra) => conformanceServer(servedEra, lists),
    session: () => ({ eventStore: memoryEventStore(), retryInterval: 500 }),
  })
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    await served.handle(request, response, text === '' ? undefined : JSON.parse(text))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/mcp`,
    close: async () => {
      served.dropSessions()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
