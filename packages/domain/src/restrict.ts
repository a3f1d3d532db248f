import type { CompleteRequest } from './capability/completion.js'
import type { Prompt } from './capability/prompt.js'
import type { Resource } from './capability/resource.js'
import type { Tool } from './capability/tool.js'
import type { CallOptions } from './call-options.js'
import { delegate } from './delegate.js'
import { NotFound } from './errors/capability-errors.js'
import type { Identity } from './identity.js'
import type { VMCP } from './vmcp.js'

type Admits<Item> = (identity: Identity | null, item: Item) => boolean | Promise<boolean>

/** Which capabilities to keep. A kind without a predicate is kept whole. */
export interface Restriction {
  /** True for a tool to keep. */
  readonly tool?: Admits<Tool>
  /** Also asked for templates, as a resource whose URI is the template text. */
  readonly resource?: Admits<Resource>
  /** True for a prompt to keep. */
  readonly prompt?: Admits<Prompt>
}

/**
 * A `VMCP` without what the predicates refuse, for decorators that restrict.
 * List, lookup and call answer from one predicate; what is refused looks as if it did not exist. The predicate is asked about
 * what the inner one lists: a tool that its policy admits only with certain arguments is in no list, and so out of reach here.
 */
export function restrict(inner: VMCP, restriction: Restriction): VMCP {
  const tool = restriction.tool ?? everything
  const resource = restriction.resource ?? everything
  const prompt = restriction.prompt ?? everything

  const lookupTool: VMCP['lookupTool'] = async (identity, name, options) => {
    const found = await inner.lookupTool(identity, name, options)
    if (await tool(identity, found)) return found
    throw new NotFound('tool', name)
  }
  const lookupResource: VMCP['lookupResource'] = async (identity, uri, options) => {
    const found = await inner.lookupResource(identity, uri, options)
    if (await resource(identity, found)) return found
    throw new NotFound('resource', uri)
  }
  const lookupPrompt: VMCP['lookupPrompt'] = async (identity, name, options) => {
    const found = await inner.lookupPrompt(identity, name, options)
    if (await prompt(identity, found)) return found
    throw new NotFound('prompt', name)
  }
  const admitsReference = async (
    identity: Identity | null,
    { ref }: CompleteRequest,
    options?: CallOptions,
  ): Promise<boolean> => {
    try {
      if (ref.type === 'ref/prompt') await lookupPrompt(identity, ref.name, options)
      else await lookupResource(identity, ref.uri, options)
      return true
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }

  return delegate(inner, {
    lookupTool,
    lookupResource,
    lookupPrompt,
    listTools: async (identity, options) => keep(identity, await inner.listTools(identity, options), tool),
    listResources: async (identity, options) => keep(identity, await inner.listResources(identity, options), resource),
    listResourceTemplates: async (identity, options) =>
      keep(identity, await inner.listResourceTemplates(identity, options), (caller, { uriTemplate, ...template }) =>
        resource(caller, { ...template, uri: uriTemplate }),
      ),
    listPrompts: async (identity, options) => keep(identity, await inner.listPrompts(identity, options), prompt),
    callTool: async (identity, request, options) => {
      await lookupTool(identity, request.name, options)
      return inner.callTool(identity, request, options)
    },
    readResource: async (identity, request, options) => {
      await lookupResource(identity, request.uri, options)
      return inner.readResource(identity, request, options)
    },
    getPrompt: async (identity, request, options) => {
      await lookupPrompt(identity, request.name, options)
      return inner.getPrompt(identity, request, options)
    },
    complete: async (identity, request, options) =>
      (await admitsReference(identity, request, options)) ? inner.complete(identity, request, options) : { values: [] },
  })
}

async function keep<Item>(
  identity: Identity | null,
  items: readonly Item[],
  admits: Admits<Item>,
): Promise<readonly Item[]> {
  const verdicts = await Promise.all(items.map((item) => admits(identity, item)))
  return items.filter((_, index) => verdicts[index])
}

function everything(): boolean {
  return true
}
