import { text } from '@vmcp/domain'
import type { CallOptions, CallToolRequest, CallToolResult, InputRequired, JsonObject, Tool } from '@vmcp/domain'
import type { StepTools } from '../src/run-request.js'

/** What a scripted tool does with a call. */
export type ToolScript = (
  args: JsonObject,
  options: CallOptions,
) => CallToolResult | InputRequired | Promise<CallToolResult | InputRequired>

/** Tools for steps, and the calls they got. */
export interface ScriptedTools extends StepTools {
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject | undefined }[]
}

/** Tools by reference. A tool with a schema in `schemas` is advertised with it; the others are hidden. */
export function scriptedTools(
  scripts: Readonly<Record<string, ToolScript>>,
  schemas: Readonly<Record<string, JsonObject>> = {},
): ScriptedTools {
  const calls: { name: string; arguments: JsonObject | undefined }[] = []
  return {
    calls,
    resolve(reference) {
      if (!Object.hasOwn(scripts, reference)) return undefined
      const inputSchema = schemas[reference]
      if (inputSchema === undefined) return { name: reference }
      const tool: Tool = { name: reference, inputSchema }
      return { name: reference, tool }
    },
    async call(_identity, request: CallToolRequest, options = {}) {
      calls.push({ name: request.name, arguments: request.arguments })
      const script = scripts[request.name]
      if (script === undefined) throw new Error(`no script for ${request.name}`)
      return script(request.arguments ?? {}, options)
    },
  }
}

/** A result with structured content. */
export function structured(content: JsonObject): CallToolResult {
  return { content: [], structuredContent: content }
}

/** A result with one text. */
export function says(value: string): CallToolResult {
  return { content: [text(value)] }
}

/** A result of a tool that failed. */
export function fails(value: string): CallToolResult {
  return { content: [text(value)], isError: true }
}

/** Never answers; rejects when its signal aborts, as a backend call does. */
export function hangs(_args: JsonObject, { signal }: CallOptions): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')))
  })
}
