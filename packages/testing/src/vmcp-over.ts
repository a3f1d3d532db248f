import { Cancelled, InvalidInput, isInputRequired, NotFound } from '@vmcp/domain'
import type { CallOptions, Identity, InputRequired, NotFoundKind, VMCP } from '@vmcp/domain'

import type { ScriptedBackend } from './scripted-backend.js'

/** What a `VMCP` over one backend does besides passing on. */
export interface VmcpOverOptions {
  /** Names and URIs that are neither listed nor reachable. */
  readonly refuses?: readonly string[]
}

/**
 * A hand-made `VMCP` over one backend, under the backend's own names: for tests of decorators and of serve, which must
 * work with any `VMCP`. It knows no pages, no templates and no policy but `refuses`.
 */
export function vmcpOver(backend: ScriptedBackend, { refuses = [] }: VmcpOverOptions = {}): VMCP {
  const { client, id: backendId } = backend
  let isClosed = false
  const guard = ({ signal }: CallOptions = {}): void => {
    if (isClosed || signal?.aborted === true) throw new Cancelled()
  }
  const listing =
    <Item extends { readonly name: string }>(
      list: ((identity: Identity | null, page: object) => Promise<{ readonly items: readonly Item[] }>) | undefined,
      keyOf: (item: Item) => string,
    ) =>
    async (identity: Identity | null, options?: CallOptions): Promise<readonly Item[]> => {
      guard(options)
      const { items } = (await list?.(identity, {})) ?? { items: [] }
      const kept = items.filter((item) => !refuses.includes(keyOf(item))).map((item) => ({ ...item, backendId }))
      return kept.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
    }
  const finding =
    <Item>(
      kind: NotFoundKind,
      list: (identity: Identity | null, options?: CallOptions) => Promise<readonly Item[]>,
      keyOf: (item: Item) => string,
    ) =>
    async (identity: Identity | null, key: string, options?: CallOptions): Promise<Item> => {
      const found = (await list(identity, options)).find((item) => keyOf(item) === key)
      if (found === undefined) throw new NotFound(kind, key)
      return found
    }
  const answered = <Result extends { readonly [field: string]: unknown } | InputRequired>(
    result: Result | undefined,
  ): Result => {
    if (result === undefined) throw new InvalidInput('the backend has no such method')
    return isInputRequired(result) ? result : { ...result, backendId }
  }

  const listTools = listing(client.listTools, ({ name }) => name)
  const listResources = listing(client.listResources, ({ uri }) => uri)
  const listPrompts = listing(client.listPrompts, ({ name }) => name)
  const lookupTool = finding('tool', listTools, ({ name }) => name)
  const lookupResource = finding('resource', listResources, ({ uri }) => uri)
  const lookupPrompt = finding('prompt', listPrompts, ({ name }) => name)
  return {
    listTools,
    listResources,
    listResourceTemplates: async (_, options) => {
      guard(options)
      return []
    },
    listPrompts,
    lookupTool,
    lookupResource,
    lookupPrompt,
    callTool: async (identity, request, options) => {
      await lookupTool(identity, request.name, options)
      return answered(await client.callTool?.(identity, { ...request, arguments: request.arguments ?? {} }, options))
    },
    readResource: async (identity, request, options) => {
      await lookupResource(identity, request.uri, options)
      return answered(await client.readResource?.(identity, request, options))
    },
    getPrompt: async (identity, request, options) => {
      await lookupPrompt(identity, request.name, options)
      return answered(await client.getPrompt?.(identity, request, options))
    },
    complete: async (identity, request, options) => {
      guard(options)
      const { ref } = request
      const isOffered =
        ref.type === 'ref/prompt'
          ? (await listPrompts(identity, options)).some(({ name }) => name === ref.name)
          : (await listResources(identity, options)).some(({ uri }) => uri === ref.uri)
      return (isOffered ? await client.complete?.(identity, request, options) : undefined) ?? { values: [] }
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      await client.close()
    },
  }
}
