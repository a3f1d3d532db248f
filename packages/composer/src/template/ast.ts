import type { Position } from './template-errors.js'

/** What one template source says: its own statements and the templates it defines by name. */
export interface TemplateTree {
  readonly body: readonly Statement[]
  readonly definitions: ReadonlyMap<string, readonly Statement[]>
}

/** Something that stands between, or around, pieces of text. */
export type Statement =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | BranchStatement
  | { readonly kind: 'template'; readonly name: string; readonly argument: Pipeline | null; readonly at: Position }
  | { readonly kind: 'break' | 'continue'; readonly at: Position }

/** A block with a condition or a collection, and what is done when that is empty. */
export interface BranchStatement {
  readonly kind: 'if' | 'with' | 'range'
  readonly pipeline: Pipeline
  readonly body: readonly Statement[]
  readonly otherwise: readonly Statement[]
}

/** Commands chained by `|`: each one's value is the last argument of the next. */
export interface Pipeline {
  readonly kind: 'pipeline'
  /** Variables that take the value, `$` included: at most one, and two for a range. */
  readonly variables: readonly string[]
  /** Whether the variables are new (`:=`) or set (`=`). */
  readonly declares: boolean
  readonly commands: readonly Command[]
  readonly at: Position
}

/** An operand with its arguments. Only a function takes any. */
export interface Command {
  readonly operand: Expression
  readonly args: readonly Expression[]
}

/** Something that has a value. */
export type Expression =
  | { readonly kind: 'dot'; readonly at: Position }
  | { readonly kind: 'nil'; readonly at: Position }
  | { readonly kind: 'literal'; readonly value: string | boolean; readonly at: Position }
  | { readonly kind: 'number'; readonly value: number; readonly integer: boolean; readonly at: Position }
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly at: Position }
  | { readonly kind: 'variable'; readonly name: string; readonly path: readonly string[]; readonly at: Position }
  | { readonly kind: 'function'; readonly name: string; readonly at: Position }
  | { readonly kind: 'chain'; readonly of: Expression; readonly path: readonly string[]; readonly at: Position }
  | Pipeline
