import type {
  Backend,
  BackendCapabilities,
  CallOptions,
  CapabilityKind,
  Finding,
  Identity,
  Page,
  PageRequest,
} from '@vmcp/domain'
import { BackendTimeout, BackendUnavailable, isJsonObject } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'

import { monotonicMs } from '../monotonic.js'
import { askBackend, describeBackendError } from './ask-backend.js'
import type { BackendError, Offer } from './offer.js'
import { readPages } from './pages.js'

const methodNotFound = -32601

/** How a backend is asked. */
export interface QueryOptions {
  readonly forwardedHeaders?: CallOptions['forwardedHeaders']
  /** Milliseconds for everything together. */
  readonly timeoutMs: number
}

/**
 * Everything a backend offers to this caller. Only announced kinds are asked for; a backend that announces nothing at all
 * is asked for tools. A list that fails leaves the others standing; when all fail, the backend does.
 */
export const queryBackend = Effect.fnUntraced(function* (
  backend: Backend,
  identity: Identity | null,
  options: QueryOptions,
): Effect.fn.Return<Offer, BackendError> {
  const { id, client } = backend
  const end = (yield* now) + options.timeoutMs
  const call = (signal: AbortSignal): CallOptions =>
    options.forwardedHeaders === undefined ? { signal } : { signal, forwardedHeaders: options.forwardedHeaders }
  const inTime = <A>(asking: Effect.Effect<A, BackendError>) =>
    Effect.flatMap(now, (current) =>
      Effect.timeoutOrElse(asking, {
        duration: Math.max(0, end - current),
        orElse: () => Effect.fail(new BackendTimeout(id, options.timeoutMs)),
      }),
    )
  const list = <Item>(
    kind: ListKind,
    method:
      | ((identity: Identity | null, page: PageRequest, options?: CallOptions) => Promise<Page<Item>>)
      | false
      | undefined,
  ): Effect.Effect<ListAnswer<Item>> => {
    if (method === false || method === undefined) return Effect.succeed({ items: [], asked: false })
    const pages = readPages(id, (page, signal) => method.call(client, identity, page, call(signal)))
    return Effect.map(Effect.result(inTime(pages)), (result) =>
      Result.isSuccess(result) ? readList(id, kind, result.success) : failedList(id, kind, result.failure),
    )
  }

  const description = yield* inTime(askBackend(id, (signal) => client.describe(identity, call(signal))))
  if (!isJsonObject(description?.capabilities)) return yield* Effect.fail(new BackendUnavailable(id, 'protocol'))
  const asks = kindsToAsk(description.capabilities)
  const [tools, resources, templates, prompts] = yield* Effect.all(
    [
      asks.nothing ? unannounced(list('tool', client.listTools)) : list('tool', asks.tools && client.listTools),
      list('resource', asks.resources && client.listResources),
      list('template', asks.resources && client.listResourceTemplates),
      list('prompt', asks.prompts && client.listPrompts),
    ],
    { concurrency: 'unbounded' },
  )

  const answers = [tools, resources, templates, prompts].filter((answer) => answer.asked)
  const failures = answers.flatMap((answer) => answer.failure ?? [])
  const [firstFailure] = failures
  if (firstFailure !== undefined && failures.length === answers.length) return yield* Effect.fail(firstFailure)
  return {
    backendId: id,
    tools: tools.items,
    resources: resources.items,
    templates: templates.items,
    prompts: prompts.items,
    toolsKnown: tools.asked && tools.failure === undefined,
    failures,
    findings: answers.flatMap((answer) => answer.finding ?? []),
    ...(description.instructions === undefined ? {} : { instructions: description.instructions }),
    ...(description.protocolVersion === undefined ? {} : { protocolVersion: description.protocolVersion }),
  }
})

const now = Effect.clockWith((clock) => Effect.succeed(monotonicMs(clock)))

type ListKind = CapabilityKind | 'template'

interface ListAnswer<Item> {
  readonly items: readonly Item[]
  readonly asked: boolean
  readonly failure?: BackendError
  readonly finding?: Finding
}

function kindsToAsk(capabilities: BackendCapabilities) {
  const asks = {
    nothing: false,
    tools: capabilities.tools !== undefined,
    resources: capabilities.resources !== undefined,
    prompts: capabilities.prompts !== undefined,
  }
  return { ...asks, nothing: !asks.tools && !asks.resources && !asks.prompts }
}

/** A backend that was asked for what it never announced owes no answer. */
function unannounced<Item>(answer: Effect.Effect<ListAnswer<Item>>): Effect.Effect<ListAnswer<Item>> {
  return Effect.map(answer, ({ items, asked, failure, finding }) => ({
    items,
    asked: asked && failure === undefined && finding === undefined,
  }))
}

const keys = { tool: 'name', prompt: 'name', resource: 'uri', template: 'uriTemplate' } as const

/** Entries that cannot be named are left out, so that they harm nobody. */
function readList<Item>(backendId: string, kind: ListKind, items: readonly Item[]): ListAnswer<Item> {
  const key = keys[kind]
  const usable = items.filter((item) => isJsonObject(item) && typeof item[key] === 'string')
  if (usable.length === items.length) return { items, asked: true }
  const message = `the ${kind} list has entries without ${key}; they are left out`
  return {
    items: usable,
    asked: true,
    finding: { reason: 'list-failed', kind, subject: backendId, backendId, message },
  }
}

function failedList(backendId: string, kind: ListKind, failure: BackendError): ListAnswer<never> {
  const lacksMethod = failure._tag === 'BackendRejected' && failure.code === methodNotFound
  const message = lacksMethod
    ? `the backend does not know the ${kind} list; it is taken as empty`
    : `the ${kind} list failed and is left out: ${describeBackendError(failure)}`
  const finding: Finding = { reason: 'list-failed', kind, subject: backendId, backendId, message }
  return lacksMethod ? { items: [], asked: true, finding } : { items: [], asked: true, finding, failure }
}
