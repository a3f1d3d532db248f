import type { RoutedTool, View } from '../aggregator/view.js'

/** The advertised tool of that name. A hidden one is not found: only workflows may use it. */
export function routeTool(view: View, name: string): RoutedTool | undefined {
  const routed = view.tools.get(name)
  return routed === undefined || routed.hidden ? undefined : routed
}
