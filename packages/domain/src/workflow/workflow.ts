import type { ToolAnnotations } from '../capability/tool.js'
import type { JsonSchema } from '../json.js'
import type { WorkflowStep } from './step.js'

/** One property of a workflow's output. */
export interface OutputProperty {
  /** The JSON type that the value is made to be. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  /** What it holds, for the output schema of the tool. */
  readonly description: string
  /** A template. An object has this or `properties`. */
  readonly value?: string
  /** The properties of an object, each made the same way. */
  readonly properties?: Readonly<Record<string, OutputProperty>>
  /** Used when the template has no value or its text does not fit the type. */
  readonly default?: unknown
}

/** How the output is made from the steps. */
export interface WorkflowOutput {
  /** The properties by name. */
  readonly properties: Readonly<Record<string, OutputProperty>>
  /** Names of properties without which the workflow fails. */
  readonly required?: readonly string[]
}

/** A composite tool: a workflow that looks like one tool. */
export interface Workflow {
  /** The name of the tool. */
  readonly name: string
  /** What it does, as a hint to the model. */
  readonly description: string
  /** JSON Schema of the arguments; `default`s are applied. */
  readonly parameters?: JsonSchema
  /** Milliseconds for the whole run; 30 minutes when absent. */
  readonly timeoutMs?: number
  /** The steps, in any order: `dependsOn` decides when each runs. */
  readonly steps: readonly WorkflowStep[]
  /** Without it the output is that of the step that completed last. */
  readonly output?: WorkflowOutput
  /** Hints that must not look safer than the steps allow. */
  readonly annotations?: ToolAnnotations
}
