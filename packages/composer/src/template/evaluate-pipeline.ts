import type { Command, Expression, Pipeline } from './ast.js'
import { functions } from './functions/functions.js'
import { fieldOf, isTruthy, missing, own } from './operand.js'
import type { Operand } from './operand.js'
import type { Run } from './run.js'
import { TemplateFault } from './template-errors.js'

/** The value of a pipeline. Declared or set variables take it, except for a range, which sets them itself. */
export function evaluatePipeline(run: Run, pipeline: Pipeline, dot: Operand): Operand {
  const operand = evaluateCommands(run, pipeline, dot)
  const [name] = pipeline.variables
  if (name !== undefined && pipeline.variables.length === 1) {
    if (pipeline.declares) run.declare(name, operand)
    else run.assign(name, operand)
  }
  return operand
}

/** The value of a pipeline, with its variables left alone. */
export function evaluateCommands(run: Run, pipeline: Pipeline, dot: Operand): Operand {
  let piped: Operand | undefined
  for (const command of pipeline.commands) piped = evaluateCommand(run, command, { dot, piped })
  run.at = pipeline.at
  return piped ?? missing
}

/** What an expression may refer to: the dot, and the value that comes through the pipe. */
interface Scope {
  readonly dot: Operand
  readonly piped: Operand | undefined
}

function evaluateCommand(run: Run, { operand, args }: Command, scope: Scope): Operand {
  if (operand.kind === 'function') return callFunction(run, operand, { args, scope })
  run.at = operand.at
  if (args.length > 0 || scope.piped !== undefined) {
    throw new TemplateFault(`can't give argument to non-function ${nameOf(operand)}`)
  }
  if (operand.kind === 'nil') throw new TemplateFault('nil is not a command')
  return evaluateExpression(run, operand, scope.dot)
}

function evaluateExpression(run: Run, expression: Expression, dot: Operand): Operand {
  run.work.spend(1)
  run.at = expression.at
  switch (expression.kind) {
    case 'dot':
      return dot
    case 'nil':
      return own(null)
    case 'literal':
      return own(expression.value)
    case 'number':
      return { value: expression.value, origin: expression.integer ? 'integer' : 'float' }
    case 'field':
      return follow(run, dot, expression.path)
    case 'variable':
      return follow(run, run.read(expression.name), expression.path)
    case 'function':
      return callFunction(run, expression, { args: [], scope: { dot, piped: undefined } })
    case 'chain': {
      const start = evaluateExpression(run, expression.of, dot)
      run.at = expression.at
      return follow(run, start, expression.path)
    }
    case 'pipeline':
      return run.work.descend(() => evaluatePipeline(run, expression, dot))
  }
}

function follow(run: Run, start: Operand, path: readonly string[]): Operand {
  run.work.spend(path.length)
  return fieldOf(start, path)
}

interface Arguments {
  readonly args: readonly Expression[]
  readonly scope: Scope
}

function callFunction(run: Run, expression: Expression & { kind: 'function' }, { args, scope }: Arguments): Operand {
  const { name, at } = expression
  const given = args.length + (scope.piped === undefined ? 0 : 1)
  const called = functions.get(name)
  run.at = at
  if (called === undefined) throw new TemplateFault(`function ${name} not defined`)
  if (given < called.minimum || given > called.maximum) {
    const wanted = called.minimum === called.maximum ? `${called.minimum}` : `at least ${called.minimum}`
    throw new TemplateFault(`wrong number of args for ${name}: want ${wanted} got ${given}`)
  }
  if (name === 'and' || name === 'or') return evaluateLogic(run, name, { args, scope })
  const operands = args.map((argument) => evaluateExpression(run, argument, scope.dot))
  if (scope.piped !== undefined) operands.push(scope.piped)
  run.at = at
  return callNamed(run, name, operands)
}

function callNamed(run: Run, name: string, operands: readonly Operand[]): Operand {
  run.work.spend(1)
  for (const { value } of operands) if (typeof value === 'string') run.work.spendText(value)
  try {
    return functions.get(name)?.call(operands, run.work) ?? missing
  } catch (fault) {
    throw fault instanceof TemplateFault ? new TemplateFault(`error calling ${name}: ${fault.message}`) : fault
  }
}

/** The first operand that decides, or the last one. What follows it is not evaluated. */
function evaluateLogic(run: Run, name: 'and' | 'or', { args, scope }: Arguments): Operand {
  let operand = missing
  for (const argument of args) {
    operand = evaluateExpression(run, argument, scope.dot)
    if (isTruthy(operand, run.work) === (name === 'or')) return operand
  }
  return scope.piped ?? operand
}

function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'field':
      return `.${expression.path.join('.')}`
    case 'variable':
      return [expression.name, ...expression.path].join('.')
    default:
      return expression.kind
  }
}
