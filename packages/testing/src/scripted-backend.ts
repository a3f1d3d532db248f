import type {
  Backend,
  BackendCallOptions,
  BackendClient,
  BackendDescription,
  BackendEvent,
  Identity,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '@vmcp/domain'
import { text } from '@vmcp/domain'
import { pageOf } from './page-of.js'
import { untilAborted } from './until-aborted.js'

/** What a backend offers. A kind that is absent is not announced. */
export interface Offers {
  readonly tools?: readonly Tool[]
  readonly resources?: readonly Resource[]
  readonly templates?: readonly ResourceTemplate[]
  readonly prompts?: readonly Prompt[]
}

/** How a backend behaves. */
export interface BackendScript extends Offers {
  readonly id: string
  readonly name?: string
  readonly transport?: string
  /** Facts for `describe` on top of those that follow from the offers. */
  readonly description?: Partial<BackendDescription>
  /** Items on one page of a list; all when absent. */
  readonly pageSize?: number
  /** Methods that replace the scripted ones. They are recorded and cancelled like these. */
  readonly on?: Partial<Omit<BackendClient, 'subscribe' | 'watchResource'>>
}

/** One call that a backend got. */
export interface BackendCall {
  readonly method: keyof BackendClient
  readonly identity: Identity | null
  /** The request, or the page of a list. */
  readonly request: unknown
  readonly options: BackendCallOptions
}

/** A backend in memory that keeps what it was asked. */
export interface ScriptedBackend extends Backend {
  /** In order, oldest first. */
  readonly calls: readonly BackendCall[]
  /** The calls of one method. */
  callsOf(method: keyof BackendClient): readonly BackendCall[]
  /** Changes what it offers, without telling anybody. */
  offer(offers: Offers): void
  /** Tells every subscriber. */
  emit(event: BackendEvent): void
  /** How many are subscribed. */
  subscribers(): number
  /** The URIs that are watched now, each as often as it is. */
  watched(): readonly string[]
}

/**
 * Makes a backend that answers by script.
 * A called tool answers with its own name and arguments, a read resource with its backend and URI, a prompt with its name.
 * Every method rejects with `Cancelled` when its signal aborts.
 */
export function scriptedBackend(script: BackendScript): ScriptedBackend {
  const { id, name, transport, on = {}, pageSize } = script
  const calls: BackendCall[] = []
  const listeners = new Set<(event: BackendEvent) => void>()
  const watches = new Set<{ readonly uri: string }>()
  let offers: Offers = script

  const record = async <Result>(call: BackendCall, run: () => Promise<Result>): Promise<Result> => {
    calls.push(call)
    const { signal } = call.options
    if (signal === undefined) return run()
    return signal.aborted ? untilAborted(signal) : Promise.race([run(), untilAborted(signal)])
  }
  const observed =
    <Request, Result>(
      method: keyof BackendClient,
      run: (identity: Identity | null, request: Request, options?: BackendCallOptions) => Promise<Result>,
    ) =>
    (identity: Identity | null, request: Request, options: BackendCallOptions = {}): Promise<Result> =>
      record({ method, identity, request, options }, () => run(identity, request, options))

  const client: BackendClient = {
    describe: (identity, options = {}) =>
      record({ method: 'describe', identity, request: undefined, options }, async () =>
        on.describe === undefined ? describe(offers, script.description) : on.describe(identity, options),
      ),
    listTools: observed('listTools', on.listTools ?? (async (_, page) => pageOf(offers.tools, page, pageSize))),
    listResources: observed(
      'listResources',
      on.listResources ?? (async (_, page) => pageOf(offers.resources, page, pageSize)),
    ),
    listResourceTemplates: observed(
      'listResourceTemplates',
      on.listResourceTemplates ?? (async (_, page) => pageOf(offers.templates, page, pageSize)),
    ),
    listPrompts: observed('listPrompts', on.listPrompts ?? (async (_, page) => pageOf(offers.prompts, page, pageSize))),
    callTool: observed('callTool', on.callTool ?? answerCall),
    readResource: observed(
      'readResource',
      on.readResource ?? (async (_, request) => ({ contents: [{ uri: request.uri, text: `${id}: ${request.uri}` }] })),
    ),
    getPrompt: observed('getPrompt', on.getPrompt ?? answerPrompt),
    complete: observed('complete', on.complete ?? (async () => ({ values: [] }))),
    probe: (options = {}) =>
      record({ method: 'probe', identity: null, request: undefined, options }, async () => on.probe?.(options)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    watchResource: (_, uri) => {
      const watch = { uri }
      watches.add(watch)
      return () => {
        watches.delete(watch)
      }
    },
    close: () => record({ method: 'close', identity: null, request: undefined, options: {} }, async () => on.close?.()),
  }

  return {
    id,
    ...(name !== undefined && { name }),
    ...(transport !== undefined && { transport }),
    client,
    calls,
    callsOf: (method) => calls.filter((call) => call.method === method),
    offer: (changed) => {
      offers = changed
    },
    emit: (event) => listeners.forEach((listener) => listener(event)),
    subscribers: () => listeners.size,
    watched: () => [...watches].map(({ uri }) => uri),
  }
}

const answerCall: NonNullable<BackendClient['callTool']> = async (_, request) => ({
  content: [text(request.name)],
  structuredContent: { tool: request.name, arguments: request.arguments },
})

const answerPrompt: NonNullable<BackendClient['getPrompt']> = async (_, request) => ({
  messages: [{ role: 'user', content: text(request.name) }],
})

function describe(offers: Offers, description: Partial<BackendDescription> = {}): BackendDescription {
  return {
    capabilities: {
      ...(offers.tools !== undefined && { tools: { listChanged: true } }),
      ...((offers.resources ?? offers.templates) !== undefined && {
        resources: { listChanged: true, subscribe: true },
      }),
      ...(offers.prompts !== undefined && { prompts: { listChanged: true } }),
      completions: {},
    },
    ...description,
  }
}
