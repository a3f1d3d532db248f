import type { JsonObject } from '@vmcp/domain'
import type { RawLine, RawProgram, RawRequest, RawScript, RawServer } from '@vmcp/testing'
import { greeting, startSessionBackend, startSessionProgram, startStatelessBackend } from '@vmcp/testing'
import { untilTestEnds } from './open-gateway.js'

/** A tool that takes anything. */
export function tool(name: string, more: JsonObject = {}): JsonObject {
  return { name, inputSchema: { type: 'object' }, ...more }
}

/** A result of one text. */
export function textResult(text: string): JsonObject {
  return { content: [{ type: 'text', text }] }
}

/** What a backend of 2025 answers to `initialize`. */
export function greetingWith(capabilities: JsonObject): JsonObject {
  return { ...greeting, capabilities }
}

/** A backend of 2025 over HTTP with these tools, until the test is over. */
export function httpBackend(tools: readonly JsonObject[], script: RawScript = {}): Promise<RawServer> {
  return untilTestEnds(
    startSessionBackend({
      initialize: (request) =>
        request.result(greetingWith({ tools: { listChanged: true } }), { 'mcp-session-id': 'session-1' }),
      'tools/list': (request) => request.result({ tools }),
      ...script,
    }),
  )
}

/** A backend of 2026 with these tools, until the test is over. */
export function statelessBackend(tools: readonly JsonObject[], script: RawScript = {}): Promise<RawServer> {
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  return untilTestEnds(
    startStatelessBackend({
      'server/discover': (request) =>
        request.result({ ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
      'tools/list': (request) => request.result({ ...complete, tools }),
      ...script,
    }),
  )
}

/** A program of 2025 with these tools, until the test is over. */
export function stdioBackend(
  tools: readonly JsonObject[],
  script: Readonly<Record<string, (line: RawLine) => void | Promise<void>>> = {},
): Promise<RawProgram> {
  return untilTestEnds(
    startSessionProgram({
      initialize: (line) => line.result(greetingWith({ tools: { listChanged: true } })),
      'tools/list': (line) => line.result({ tools }),
      ...script,
    }),
  )
}

/** The requests of one JSON-RPC method that a backend got. */
export function requestsOf(server: RawServer, method: string): readonly RawRequest[] {
  return server.requests.filter(({ message }) => message['method'] === method)
}

/** The first text of a tool result. */
export function textOf(result: JsonObject): unknown {
  return (result['content'] as readonly JsonObject[] | undefined)?.[0]?.['text']
}

/** The greeting of a backend with these capabilities, as a script. */
export function greets(capabilities: JsonObject): RawScript {
  return {
    initialize: (request) => request.result(greetingWith(capabilities), { 'mcp-session-id': 'session-1' }),
  }
}

/** Answers a method with the same result each time. */
export function answers(results: Readonly<Record<string, JsonObject>>): RawScript {
  return Object.fromEntries(
    Object.entries(results).map(([method, result]) => [method, (request: RawRequest) => request.result(result)]),
  )
}
