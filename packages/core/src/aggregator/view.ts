import type { Prompt, Resource, ResourceTemplate, Tool, ViewReport } from '@vmcp/domain'

/** Where an advertised name leads. */
export interface Route {
  readonly backendId: string
  /** What the backend itself calls it: a tool or prompt name, a URI or a template. */
  readonly name: string
}

/** A capability under its advertised name, and where a call of it goes. */
export interface Routed<Item> {
  /** As advertised; `backendId` is set. */
  readonly item: Item
  readonly route: Route
}

/** A tool of the view. A hidden one is not advertised, but workflows may use it. */
export interface RoutedTool extends Routed<Tool> {
  readonly hidden: boolean
}

/** What one caller's backends offer, merged. A value: it is rebuilt whole and replaced. */
export interface View {
  /** By advertised name, in code-unit order of the name. Hidden tools included. */
  readonly tools: ReadonlyMap<string, RoutedTool>
  /** By URI, in order. */
  readonly resources: ReadonlyMap<string, Routed<Resource>>
  /** By template text, in order. */
  readonly templates: ReadonlyMap<string, Routed<ResourceTemplate>>
  /** By advertised name, in order. */
  readonly prompts: ReadonlyMap<string, Routed<Prompt>>
  /** Instructions of the backends by backend id, in order. */
  readonly instructions: ReadonlyMap<string, string>
  readonly report: ViewReport
}
