import type {
  Backend,
  BackendCapabilities,
  BackendClient,
  Page,
  PageRequest,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '@vmcp/domain'

/** What a scripted backend offers: names for short, or whole items. */
export interface Script {
  readonly tools?: readonly (string | Tool)[]
  readonly resources?: readonly (string | Resource)[]
  readonly templates?: readonly (string | ResourceTemplate)[]
  readonly prompts?: readonly (string | Prompt)[]
  /** What it announces; the kinds it has something of when absent. */
  readonly capabilities?: BackendCapabilities
  readonly instructions?: string
  /** Replaces methods of the client. */
  readonly client?: Partial<BackendClient>
}

/** A backend that answers what it is told to. For tests. */
export function scriptedBackend(id: string, script: Script = {}): Backend {
  const tools = (script.tools ?? []).map((tool) => (typeof tool === 'string' ? toolNamed(tool) : tool))
  const resources = (script.resources ?? []).map((one) => (typeof one === 'string' ? { uri: one, name: one } : one))
  const templates = (script.templates ?? []).map((one) =>
    typeof one === 'string' ? { uriTemplate: one, name: one } : one,
  )
  const prompts = (script.prompts ?? []).map((prompt) => (typeof prompt === 'string' ? { name: prompt } : prompt))
  const capabilities = script.capabilities ?? {
    tools: {},
    ...(resources.length + templates.length > 0 ? { resources: {} } : {}),
    ...(prompts.length > 0 ? { prompts: {} } : {}),
  }
  const { instructions } = script
  return {
    id,
    client: {
      describe: () => Promise.resolve({ capabilities, ...(instructions === undefined ? {} : { instructions }) }),
      listTools: () => Promise.resolve({ items: tools }),
      listResources: () => Promise.resolve({ items: resources }),
      listResourceTemplates: () => Promise.resolve({ items: templates }),
      listPrompts: () => Promise.resolve({ items: prompts }),
      close: () => Promise.resolve(),
      ...script.client,
    },
  }
}

/** A tool that takes any object. */
export function toolNamed(name: string, more: Partial<Tool> = {}): Tool {
  return { inputSchema: { type: 'object' }, ...more, name }
}

/** A list method that gives these pages, with cursors `1`, `2` and so on. */
export function inPages<Item>(pages: readonly (readonly Item[])[]) {
  return (_identity: unknown, { cursor }: PageRequest): Promise<Page<Item>> => {
    const index = Number(cursor ?? 0)
    const items = pages[index] ?? []
    return Promise.resolve(index + 1 < pages.length ? { items, nextCursor: String(index + 1) } : { items })
  }
}
