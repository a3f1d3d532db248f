import type { Finding, Prompt, Resource, ResourceTemplate, Tool, Workflow } from '@vmcp/domain'

import type { View } from '../aggregator/view.js'

/** What one caller's view advertises before admission, composite tools included. Frozen, and made once for each view. */
export interface Offer {
  readonly view: View
  /** Backend tools that are not hidden, and composite tools, by name. */
  readonly tools: readonly Tool[]
  readonly toolsByName: ReadonlyMap<string, Tool>
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  /** The composite tools that this view can run, by name. */
  readonly workflows: ReadonlyMap<string, Workflow>
  /** Why other composite tools are not offered. */
  readonly findings: readonly Finding[]
}
