import { TaggedError } from './base.js'

/** One name that several backends offer and that nobody decided. */
export interface UnresolvedConflict {
  /** The name, as the backends offer it. */
  readonly name: string
  /** Those that offer it, by id. */
  readonly backendIds: readonly string[]
}

/** The manual strategy met a name without a decision. Nothing is served until it is decided. */
export class CapabilityConflict extends TaggedError {
  readonly _tag = 'CapabilityConflict'
  /** Every name that is still to be decided. */
  readonly conflicts: readonly UnresolvedConflict[]

  constructor(detail: string, conflicts: readonly UnresolvedConflict[], options?: ErrorOptions) {
    super(detail, options)
    this.conflicts = conflicts
  }
}

/** Composite tools bear the names of backend tools; the backend tools keep them. */
export class ToolNameConflict extends TaggedError {
  readonly _tag = 'ToolNameConflict'
  /** The names that both have. */
  readonly names: readonly string[]

  constructor(names: readonly string[], options?: ErrorOptions) {
    super(`composite tool names conflict with backend tools: ${names.join(', ')}`, options)
    this.names = names
  }
}

/** One thing that is wrong in a configuration. */
export interface ConfigProblem {
  /** Where, as a path of keys and indices, such as `backends[1].url`. */
  readonly path: string
  /** What is wrong and what was expected. */
  readonly message: string
  /** The file, when it was read from one. */
  readonly file?: string
  /** From 1. */
  readonly line?: number
  /** From 1. */
  readonly column?: number
}

/** The configuration cannot be used. It lists every problem that was found. */
export class InvalidConfig extends TaggedError {
  readonly _tag = 'InvalidConfig'
  /** Everything that is wrong, at least one. */
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[], options?: ErrorOptions) {
    super(
      ['invalid configuration:', ...problems.map((problem) => `  - ${describeProblem(problem)}`)].join('\n'),
      options,
    )
    this.problems = problems
  }
}

function describeProblem(problem: ConfigProblem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(':')
  return [place, problem.path, problem.message].filter((part) => part !== '').join(': ')
}
