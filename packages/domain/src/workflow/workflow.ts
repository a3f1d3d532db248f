import type { ToolAnnotations } from '../capability/tool.js'
import type { JsonSchema } from '../json.js'
import type { WorkflowStep } from './step.js'

/** One property of a workflow's output. */
export interface OutputProperty {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  readonly description: string
  /** A template. An object has this or `properties`. */
  readonly value?: string
  readonly properties?: Readonly<Record<string, OutputProperty>>
  /** Used when the template has no value or its text does not fit the type. */
  readonly default?: unknown
}

/** How the output is made from the steps. */
export interface WorkflowOutput {
  readonly properties: Readonly<Record<string, OutputProperty>>
  readonly required?: readonly string[]
}

/** A composite tool: a workflow that looks like one tool. */
export interface Workflow {
  /** The name of the tool. */
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments; `default`s are applied. */
  readonly parameters?: JsonSchema
  /** Milliseconds for the whole run; 30 minutes when absent. */
  readonly timeoutMs?: number
  readonly steps: readonly WorkflowStep[]
  /** Without it the output is that of the step that completed last. */
  readonly output?: WorkflowOutput
  /** Hints that must not look safer than the steps allow. */
  readonly annotations?: ToolAnnotations
}
