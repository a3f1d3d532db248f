import type { Command, Expression, Pipeline } from './ast.js'
import { functions } from './functions/functions.js'
import type { Token } from './lexer.js'
import { describe } from './token-reader.js'
import type { TokenReader } from './token-reader.js'

/** Parses `$x := command | command …` up to the end of the action or the closing parenthesis, which it leaves. */
export function parsePipeline(reader: TokenReader, where: string): Pipeline {
  const { at } = reader.peek()
  const { variables, declares } = parseVariables(reader, where)
  const commands: Command[] = []
  for (;;) {
    commands.push(parseCommand(reader, where))
    if (!reader.isAt('|')) break
    reader.next()
  }
  commands.slice(1).forEach(({ operand }, index) => {
    if (['literal', 'number', 'nil', 'dot'].includes(operand.kind)) {
      reader.fail(`non executable command in pipeline stage ${index + 2}`, operand)
    }
  })
  variables.forEach((name) => (declares ? reader.declare(name) : undefined))
  return { kind: 'pipeline', variables, declares, commands, at }
}

interface Variables {
  readonly variables: readonly string[]
  readonly declares: boolean
}

function parseVariables(reader: TokenReader, where: string): Variables {
  if (reader.peek().kind !== 'variable') return { variables: [], declares: true }
  const second = reader.isAt(',', 1) ? reader.peek(2) : undefined
  const sign = second === undefined ? reader.peek(1) : reader.peek(3)
  if (second !== undefined && (where !== 'range' || second.kind !== 'variable')) {
    reader.fail(where === 'range' ? 'range can only initialize variables' : `too many declarations in ${where}`, second)
  }
  const assigns = sign.kind === 'punctuation' && (sign.text === ':=' || sign.text === '=')
  if (!assigns) {
    if (second !== undefined) reader.fail(`unexpected ${describe(sign)} in ${where}`, sign)
    return { variables: [], declares: true }
  }
  const tokens = second === undefined ? [reader.peek()] : [reader.peek(), second]
  for (let count = tokens.length * 2; count > 0; count--) reader.next()
  if (sign.text === '=') tokens.forEach((token) => expectDeclared(reader, token))
  return { variables: tokens.map((token) => token.text), declares: sign.text === ':=' }
}

function parseCommand(reader: TokenReader, where: string): Command {
  const operand = parseOperand(reader, where)
  const args: Expression[] = []
  while (!isCommandEnd(reader)) {
    const token = reader.peek()
    if (!token.spaced) reader.fail(`unexpected ${describe(token)} in operand`, token)
    args.push(parseOperand(reader, where))
  }
  return { operand, args }
}

function isCommandEnd(reader: TokenReader): boolean {
  return reader.peek().kind === 'close' || reader.isAt('|') || reader.isAt(')')
}

/** A term with the fields that follow it without white space. */
function parseOperand(reader: TokenReader, where: string): Expression {
  const term = parseTerm(reader, where)
  const path: string[] = []
  const { at } = reader.peek()
  while (reader.peek().kind === 'field' && !reader.peek().spaced) path.push(reader.next().text)
  if (path.length === 0) return term
  switch (term.kind) {
    case 'field':
    case 'variable':
      return { ...term, path: [...term.path, ...path] }
    case 'function':
    case 'pipeline':
      return { kind: 'chain', of: term, path, at }
    default:
      return reader.fail('unexpected . after term', { at })
  }
}

function parseTerm(reader: TokenReader, where: string): Expression {
  const token = reader.next()
  const { at, text } = token
  switch (token.kind) {
    case 'dot':
      return { kind: 'dot', at }
    case 'field':
      return { kind: 'field', path: [text], at }
    case 'string':
      return { kind: 'literal', value: text, at }
    case 'number':
      if (token.number !== null) return { kind: 'number', ...token.number, at }
      break
    case 'keyword':
      if (text === 'nil') return { kind: 'nil', at }
      if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true', at }
      break
    case 'variable':
      expectDeclared(reader, token)
      return { kind: 'variable', name: text, path: [], at }
    case 'name':
      if (!functions.has(text)) reader.fail(`function ${JSON.stringify(text)} not defined`, token)
      return { kind: 'function', name: text, at }
    case 'punctuation':
      if (text === '(') return parseParenthesized(reader)
      break
    case 'close':
    case 'end':
      return reader.fail(`missing value for ${where}`, token)
  }
  return reader.fail(`unexpected ${describe(token)} in ${where}`, token)
}

function parseParenthesized(reader: TokenReader): Pipeline {
  const pipeline = reader.nest(() => parsePipeline(reader, 'parenthesized pipeline'))
  const close = reader.next()
  if (close.kind !== 'punctuation' || close.text !== ')')
    reader.fail(`unexpected ${describe(close)} in parentheses`, close)
  return pipeline
}

function expectDeclared(reader: TokenReader, token: Token): void {
  if (!reader.declares(token.text)) reader.fail(`undefined variable ${JSON.stringify(token.text)}`, token)
}
