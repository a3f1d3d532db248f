import type { CallOptions, Identity, InputRequired, JsonObject, VMCP } from '@vmcp/domain'
import type { Answers } from './ask-client.js'
import { askClient, needsAnswers, requireDeclared } from './ask-client.js'
import type { JsonText } from './exchange.js'
import { readCallTool, readComplete, readGetPrompt, readReadResource } from './wire/from-wire.js'
import { pageOf } from './wire/pagination.js'
import type { ResultWriter } from './wire/result-writer.js'
import {
  wireCallToolResult,
  wireCompleteResult,
  wireGetPromptResult,
  wireInputRequired,
  wireItem,
  wireReadResourceResult,
  wireTool,
} from './wire/to-wire.js'

/** One request for a verb of `VMCP`, in either era. */
export interface VerbCall {
  readonly vmcp: VMCP
  readonly identity: Identity | null
  readonly params: JsonObject
  readonly options: CallOptions
  readonly writer: ResultWriter
  readonly pageSize: number
}

/** Runs a verb and gives the JSON text of its result. Rejects with a `VmcpError`. */
export type Verb = (call: VerbCall) => Promise<JsonText>

/** The method of the wire for each verb. Both eras share it. */
export const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  [
    'tools/list',
    async (call) => {
      const { vmcp, identity, options, writer } = call
      const tools = await vmcp.listTools(identity, options)
      return listText(call, tools, { list: 'tools', keyOf: byName, wire: (tool) => wireTool(tool, writer.era) })
    },
  ],
  [
    'resources/list',
    async (call) => {
      const resources = await call.vmcp.listResources(call.identity, call.options)
      return listText(call, resources, { list: 'resources', keyOf: ({ uri }) => uri, wire: wireItem })
    },
  ],
  [
    'resources/templates/list',
    async (call) => {
      const templates = await call.vmcp.listResourceTemplates(call.identity, call.options)
      return listText(call, templates, {
        list: 'resourceTemplates',
        keyOf: ({ uriTemplate }) => uriTemplate,
        wire: wireItem,
      })
    },
  ],
  [
    'prompts/list',
    async (call) => {
      const prompts = await call.vmcp.listPrompts(call.identity, call.options)
      return listText(call, prompts, { list: 'prompts', keyOf: byName, wire: wireItem })
    },
  ],
  [
    'tools/call',
    async (call) => {
      const { vmcp, identity, options, writer } = call
      const request = readCallTool(call.params)
      return settle(
        call,
        (answers) => vmcp.callTool(identity, { ...request, ...answers }, options),
        (result) => writer.write(wireCallToolResult(result, writer.era)),
      )
    },
  ],
  [
    'resources/read',
    async (call) => {
      const { vmcp, identity, options, writer } = call
      const request = readReadResource(call.params)
      return settle(
        call,
        (answers) => vmcp.readResource(identity, { ...request, ...answers }, options),
        (result) => writer.write(wireReadResourceResult(result), 'reusable'),
      )
    },
  ],
  [
    'prompts/get',
    async (call) => {
      const { vmcp, identity, options, writer } = call
      const request = readGetPrompt(call.params)
      return settle(
        call,
        (answers) => vmcp.getPrompt(identity, { ...request, ...answers }, options),
        (result) => writer.write(wireGetPromptResult(result)),
      )
    },
  ],
  [
    'completion/complete',
    async (call) => {
      const result = await call.vmcp.complete(call.identity, readComplete(call.params), call.options)
      return call.writer.write(wireCompleteResult(result))
    },
  ],
])

interface Listing<Item> {
  /** The list's member in the result. */
  readonly list: string
  readonly keyOf: (item: Item) => string
  readonly wire: (item: Item) => JsonObject
}

function listText<Item extends object>(
  { writer, pageSize, params }: VerbCall,
  items: readonly Item[],
  { list, keyOf, wire }: Listing<Item>,
): JsonText {
  return writer.writeList(list, pageOf(items, params['cursor'], { list, keyOf, pageSize }), wire)
}

/**
 * Runs a verb to its end. When it needs answers, a 2025-11-25 client is asked while its call runs and the verb is run
 * again; a 2026-07-28 client gets the questions as its result, if it declared that it can answer them.
 */
async function settle<Result extends object>(
  { options, writer }: VerbCall,
  run: (answers: Answers) => Promise<Result | InputRequired>,
  write: (result: Result) => string,
): Promise<string> {
  if (writer.era === '2025') return write(await askClient(run, options))
  const result = await run({})
  if (!needsAnswers(result)) return write(result)
  requireDeclared(result, options.client?.capabilities ?? {})
  return writer.write(wireInputRequired(result))
}

function byName({ name }: { readonly name: string }): string {
  return name
}
