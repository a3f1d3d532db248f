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

/** Runs a verb and gives the JSON text of its result. Rejects with a `VmcpError`, or throws it while it reads the request. */
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
    asking({
      read: readCallTool,
      run: ({ vmcp, identity, options }, request) => vmcp.callTool(identity, request, options),
      write: (result, writer) => writer.write(wireCallToolResult(result, writer.era)),
    }),
  ],
  [
    'resources/read',
    asking({
      read: readReadResource,
      run: ({ vmcp, identity, options }, request) => vmcp.readResource(identity, request, options),
      write: (result, writer) => writer.write(wireReadResourceResult(result), 'reusable'),
    }),
  ],
  [
    'prompts/get',
    asking({
      read: readGetPrompt,
      run: ({ vmcp, identity, options }, request) => vmcp.getPrompt(identity, request, options),
      write: (result, writer) => writer.write(wireGetPromptResult(result)),
    }),
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

/** A verb that may need answers of the client before it has a result. */
interface AskingVerb<Request extends object, Result extends object> {
  readonly read: (params: JsonObject) => Request
  readonly run: (call: VerbCall, request: Request & Answers) => Promise<Result | InputRequired>
  readonly write: (result: Result, writer: ResultWriter) => string
}

function asking<Request extends object, Result extends object>(verb: AskingVerb<Request, Result>): Verb {
  return (call) => {
    const request = verb.read(call.params)
    return verb
      .run(call, request)
      .then((result) =>
        needsAnswers(result) ? settle(call, result, { verb, request }) : verb.write(result, call.writer),
      )
  }
}

/**
 * Runs a verb to its end that needs answers: a 2025-11-25 client is asked while its call runs and the verb is run again; a
 * 2026-07-28 client gets the questions as its result, if it declared that it can answer them.
 */
async function settle<Request extends object, Result extends object>(
  call: VerbCall,
  first: InputRequired,
  { verb, request }: { readonly verb: AskingVerb<Request, Result>; readonly request: Request },
): Promise<string> {
  const { options, writer } = call
  if (writer.era === '2025') {
    const result = await askClient(first, (answers) => verb.run(call, { ...request, ...answers }), options)
    return verb.write(result, writer)
  }
  requireDeclared(first, options.client?.capabilities ?? {})
  return writer.write(wireInputRequired(first))
}

function byName({ name }: { readonly name: string }): string {
  return name
}
