import type { Command, Expression, Pipeline, Statement, TemplateTree } from './ast.js'

/** A chain of names from the root of the data. */
export type Reference = readonly string[]

/**
 * The chains of names that a template reads, each once, in the order of the source. Followed are `.a.b`, `$.a.b`,
 * `(.a).b`, `index .a "b"` with literal keys, the dot inside `with`, and `{{template}}` bodies. What depends on a
 * value (elements of a range, variables other than `$`) is not known before it runs and is left out.
 */
export function referencesOf(tree: TemplateTree): References {
  const collector = new Collector(tree.definitions)
  collector.readStatements(tree.body, { dot: [], root: [] })
  return collector.found()
}

/** What a template reads. */
export interface References {
  readonly all: readonly Reference[]
  /** Those that stand in the source as one chain of fields from the root, `.a.b`. */
  readonly fields: readonly Reference[]
}

/** What `.` and `$` stand for; undefined when that is not known. */
interface Names {
  readonly dot: Reference | undefined
  readonly root: Reference | undefined
}

class Collector {
  readonly #definitions: TemplateTree['definitions']
  readonly #references = new Map<string, Reference>()
  readonly #fields = new Map<string, Reference>()
  readonly #visited = new Set<string>()

  constructor(definitions: TemplateTree['definitions']) {
    this.#definitions = definitions
  }

  found(): References {
    return { all: [...this.#references.values()], fields: [...this.#fields.values()] }
  }

  readStatements(statements: readonly Statement[], names: Names): void {
    for (const statement of statements) this.#readStatement(statement, names)
  }

  #readStatement(statement: Statement, names: Names): void {
    switch (statement.kind) {
      case 'action':
        this.#readPipeline(statement.pipeline, names)
        return
      case 'if':
      case 'with':
      case 'range': {
        const subject = this.#readPipeline(statement.pipeline, names)
        const dot = statement.kind === 'if' ? names.dot : statement.kind === 'with' ? subject : undefined
        this.readStatements(statement.body, { ...names, dot })
        this.readStatements(statement.otherwise, names)
        return
      }
      case 'template': {
        const argument = statement.argument === null ? undefined : this.#readPipeline(statement.argument, names)
        this.#readDefinition(statement.name, argument)
        return
      }
    }
  }

  /** A definition is read once for each argument it gets, so that recursion ends. */
  #readDefinition(name: string, argument: Reference | undefined): void {
    const visit = argument === undefined ? keyOf([name]) : `${keyOf([name])} ${keyOf(argument)}`
    if (this.#visited.has(visit) || this.#visited.size >= MAX_VISITS) return
    this.#visited.add(visit)
    this.readStatements(this.#definitions.get(name) ?? [], { dot: argument, root: argument })
  }

  /** Gives the chain that the whole pipeline stands for, if it is one. */
  #readPipeline(pipeline: Pipeline, names: Names): Reference | undefined {
    const chains = pipeline.commands.map((command) => this.#readCommand(command, names))
    return chains.length === 1 ? chains[0] : undefined
  }

  #readCommand({ operand, args }: Command, names: Names): Reference | undefined {
    if (operand.kind !== 'function') {
      args.forEach((argument) => this.#readExpression(argument, names))
      return this.#readExpression(operand, names)
    }
    const indexed = operand.name === 'index' ? indexedChain(args, names) : undefined
    if (indexed !== undefined) {
      args.forEach((argument) => this.#noteField(argument, names))
      return this.#add(indexed)
    }
    args.forEach((argument) => this.#readExpression(argument, names))
    return undefined
  }

  #readExpression(expression: Expression, names: Names): Reference | undefined {
    const chain = chainOf(expression, names)
    this.#noteField(expression, names)
    if (chain !== undefined) return this.#add(chain)
    if (expression.kind === 'chain') {
      const start = this.#readExpression(expression.of, names)
      return start === undefined ? undefined : this.#add([...start, ...expression.path])
    }
    return expression.kind === 'pipeline' ? this.#readPipeline(expression, names) : undefined
  }

  #noteField(expression: Expression, { dot }: Names): void {
    if (expression.kind !== 'field' || dot?.length !== 0) return
    this.#fields.set(keyOf(expression.path), expression.path)
  }

  #add(chain: Reference): Reference {
    if (chain.length > 0) this.#references.set(keyOf(chain), chain)
    return chain
  }
}

/** The most bodies of named templates that are followed. */
const MAX_VISITS = 300

/** A text that no other chain has. */
function keyOf(chain: Reference): string {
  return chain.map((name) => `${name.length}:${name}`).join('')
}

function chainOf(expression: Expression, { dot, root }: Names): Reference | undefined {
  if (expression.kind === 'dot') return dot
  if (expression.kind === 'field') return dot === undefined ? undefined : [...dot, ...expression.path]
  if (expression.kind !== 'variable' || expression.name !== '$' || root === undefined) return undefined
  return [...root, ...expression.path]
}

function indexedChain([collection, ...keys]: readonly Expression[], names: Names): Reference | undefined {
  const start = collection === undefined ? undefined : chainOf(collection, names)
  const path = keys.map((key) => (key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined))
  const literals = path.filter((key) => key !== undefined)
  return start === undefined || literals.length < path.length ? undefined : [...start, ...literals]
}
