import type { RoutedTool, View } from '../aggregator/view.js'

/**
 * The tool that a workflow step names: by its advertised name, else as `backend.tool` with the backend's own name for it.
 * Hidden tools are found. Backend ids may hold dots: the longest id that fits and has the tool counts.
 */
export function resolveToolReference(view: View, reference: string): RoutedTool | undefined {
  const advertised = view.tools.get(reference)
  if (advertised !== undefined) return advertised
  const byBackend = indexOf(view)
  for (let dot = reference.lastIndexOf('.'); dot > 0; dot = reference.lastIndexOf('.', dot - 1)) {
    const routed = byBackend.get(reference.slice(0, dot))?.get(reference.slice(dot + 1))
    if (routed !== undefined) return routed
  }
  return undefined
}

type Index = ReadonlyMap<string, ReadonlyMap<string, RoutedTool>>

const indexes = new WeakMap<View, Index>()

function indexOf(view: View): Index {
  const known = indexes.get(view)
  if (known !== undefined) return known
  const index = new Map<string, Map<string, RoutedTool>>()
  for (const routed of view.tools.values()) {
    const { backendId, name } = routed.route
    const tools = index.get(backendId)
    if (tools === undefined) index.set(backendId, new Map([[name, routed]]))
    else tools.set(name, routed)
  }
  indexes.set(view, index)
  return index
}
