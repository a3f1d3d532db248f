import type { BranchStatement, Pipeline, Statement, TemplateTree } from './ast.js'
import { evaluateCommands, evaluatePipeline } from './evaluate-pipeline.js'
import type { Work } from './limits.js'
import { elementOf, integer, isMap, isTruthy, missing, own, typeOf } from './operand.js'
import type { Operand } from './operand.js'
import { printOperand } from './print.js'
import { Run } from './run.js'
import { TemplateExecutionError, TemplateFault } from './template-errors.js'

/** Carries a template out on its data and gives the text. `work` is what it may use, and has used afterwards. */
export function render(tree: TemplateTree, data: object, work?: Work): string {
  const root: Operand = { value: data, origin: 'root' }
  return guard(new Run(tree, root, work), (run) => {
    runStatements(run, tree.body, root)
    return run.output.text()
  })
}

/** The value of one pipeline of a template, with its type. It is held to the same limits as text. */
export function evaluate(tree: TemplateTree, pipeline: Pipeline, data: object): unknown {
  const root: Operand = { value: data, origin: 'root' }
  return guard(new Run(tree, root), (run) => {
    const operand = evaluatePipeline(run, pipeline, root)
    run.output.write(printOperand(operand, run.work))
    return operand.value
  })
}

/** Gives what goes wrong its place in the source. */
function guard<A>(run: Run, carryOut: (run: Run) => A): A {
  try {
    return carryOut(run)
  } catch (fault) {
    if (!(fault instanceof TemplateFault)) throw fault
    const { line, column } = run.at
    throw new TemplateExecutionError(
      `failed to execute template: line ${line}, column ${column}: ${fault.message}`,
      run.at,
    )
  }
}

/** Whether a loop goes on after a list of statements. */
type Flow = 'next' | 'break' | 'continue'

function runStatements(run: Run, statements: readonly Statement[], dot: Operand): Flow {
  for (const statement of statements) {
    run.work.spend(1)
    const flow = runStatement(run, statement, dot)
    if (flow !== 'next') return flow
  }
  return 'next'
}

function runStatement(run: Run, statement: Statement, dot: Operand): Flow {
  switch (statement.kind) {
    case 'text':
      run.output.write(statement.text)
      return 'next'
    case 'action': {
      const operand = evaluatePipeline(run, statement.pipeline, dot)
      if (statement.pipeline.variables.length === 0) run.output.write(printOperand(operand, run.work))
      return 'next'
    }
    case 'if':
    case 'with':
      return run.scope(() => runCondition(run, statement, dot))
    case 'range':
      return run.scope(() => runRange(run, statement, dot))
    case 'template':
      runTemplate(run, statement, dot)
      return 'next'
    case 'break':
    case 'continue':
      return statement.kind
  }
}

function runCondition(run: Run, { kind, pipeline, body, otherwise }: BranchStatement, dot: Operand): Flow {
  const operand = evaluatePipeline(run, pipeline, dot)
  if (!isTruthy(operand, run.work)) return runStatements(run, otherwise, dot)
  return runStatements(run, body, kind === 'with' ? operand : dot)
}

function runRange(run: Run, { pipeline, body, otherwise }: BranchStatement, dot: Operand): Flow {
  const collection = evaluateCommands(run, pipeline, dot)
  let empty = true
  for (const [key, element] of entriesOf(run, collection, pipeline.variables.length)) {
    empty = false
    const flow = run.scope(() => {
      setLoopVariables(run, pipeline, [key, element])
      return runStatements(run, body, element)
    })
    if (flow === 'break') break
  }
  return empty ? runStatements(run, otherwise, dot) : 'next'
}

/** One variable takes the element; of two, the first takes the index or key. */
function setLoopVariables(run: Run, { variables, declares }: Pipeline, entry: readonly [Operand, Operand]): void {
  const operands = variables.length === 1 ? entry.slice(1) : entry
  variables.forEach((name, index) => {
    const operand = operands[index] ?? missing
    if (declares) run.declare(name, operand)
    else run.assign(name, operand)
  })
}

/** The elements of a list in order, of a map by key, and the numbers below a whole number. */
function* entriesOf(run: Run, collection: Operand, variables: number): Generator<readonly [Operand, Operand]> {
  const { value, origin } = collection
  if (value === undefined || value === null) return
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) yield [integer(index), elementOf(collection, index)]
  } else if (isMap(value)) {
    for (const key of run.work.sortedKeys(value)) yield [own(key), elementOf(collection, key)]
  } else if (typeof value === 'number' && Number.isInteger(value) && (origin === 'own' || origin === 'integer')) {
    if (variables > 1) throw new TemplateFault("can't iterate over a number with more than one variable")
    for (let index = 0; index < value; index++) yield [missing, integer(index)]
  } else {
    throw new TemplateFault(`range can't iterate over ${typeOf(collection)}`)
  }
}

function runTemplate(run: Run, statement: Statement & { kind: 'template' }, dot: Operand): void {
  const argument = statement.argument === null ? missing : evaluatePipeline(run, statement.argument, dot)
  run.at = statement.at
  const body = run.definitions.get(statement.name)
  if (body === undefined) throw new TemplateFault(`template ${JSON.stringify(statement.name)} not defined`)
  run.isolate(argument, () => runStatements(run, body, argument))
}
