import { Work } from './limits.js'
import type { TemplateTree } from './ast.js'
import { Output } from './output.js'
import type { Operand } from './operand.js'
import { TemplateFault } from './template-errors.js'
import type { Position } from './template-errors.js'

/** A variable and what it holds now. */
interface Variable {
  readonly name: string
  operand: Operand
}

/** One run of a template: what it has used, written and declared, and where it is. Nothing outlives it. */
export class Run {
  readonly definitions: TemplateTree['definitions']
  readonly work: Work
  readonly output = new Output()
  /** Where the error is, should there be one. */
  at: Position = { line: 1, column: 1 }
  #variables: Variable[]

  constructor(tree: TemplateTree, root: Operand, work = new Work()) {
    this.definitions = tree.definitions
    this.work = work
    this.#variables = [{ name: '$', operand: root }]
  }

  declare(name: string, operand: Operand): void {
    this.#variables.push({ name, operand })
  }

  assign(name: string, operand: Operand): void {
    this.#find(name).operand = operand
  }

  read(name: string): Operand {
    return this.#find(name).operand
  }

  /** Runs a block: the variables it declares end with it. */
  scope<A>(run: () => A): A {
    const declared = this.#variables.length
    try {
      return this.work.descend(run)
    } finally {
      this.#variables.length = declared
    }
  }

  /** Runs a named template: it sees its argument, as `$`, and no variable of its caller. */
  isolate<A>(argument: Operand, run: () => A): A {
    const variables = this.#variables
    this.#variables = [{ name: '$', operand: argument }]
    try {
      return this.work.descend(run)
    } finally {
      this.#variables = variables
    }
  }

  /** The newest variable of that name. Looking far is paid for. */
  #find(name: string): Variable {
    const index = this.#variables.findLastIndex((candidate) => candidate.name === name)
    this.work.spend(Math.floor((this.#variables.length - index) / 8))
    const variable = this.#variables[index]
    if (variable === undefined) throw new TemplateFault(`undefined variable ${name}`)
    return variable
  }
}
