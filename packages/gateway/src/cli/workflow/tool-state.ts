import type { Explanation, Identity, VmcpAdmin } from '@vmcp/domain'

/** How a caller finds a tool that a workflow uses. A workflow may use hidden and denied ones. */
export interface ToolState {
  /** As the workflow names it. */
  readonly reference: string
  readonly state: 'listed' | 'hidden' | 'denied' | 'unavailable' | 'missing'
  /** A sentence for people. */
  readonly message: string
}

/** How a caller finds a tool, by its advertised name or as `backend.tool` with the backend's own name. */
export async function findToolState(
  admin: VmcpAdmin,
  identity: Identity | null,
  { reference, signal }: { readonly reference: string; readonly signal: AbortSignal },
): Promise<ToolState> {
  const explain = (name: string) => admin.explain(identity, { kind: 'tool', name }, { signal })
  const explanation = await explain(reference)
  const namesBackend = admin.listAllBackends().some(({ id }) => reference.startsWith(`${id}.`))
  const advertisedAs = namesBackend ? explanation.advertisedAs?.[0] : undefined
  return toState(reference, advertisedAs === undefined ? explanation : await explain(advertisedAs))
}

const stateOf: Readonly<Record<Explanation['steps'][number]['check'], ToolState['state']>> = {
  backend: 'unavailable',
  health: 'unavailable',
  offer: 'missing',
  conflict: 'missing',
  override: 'missing',
  filter: 'hidden',
  visibility: 'hidden',
  policy: 'denied',
}

function toState(reference: string, explanation: Explanation): ToolState {
  const failed = failure(explanation)
  if (failed === undefined) return { reference, state: 'listed', message: 'it is listed, and can be called' }
  return { reference, state: stateOf[failed.check], message: failed.message }
}

function failure({ steps }: Explanation) {
  return steps.find(({ passed }) => !passed)
}
