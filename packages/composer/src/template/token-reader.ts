import type { Token } from './lexer.js'
import { MAX_NESTING } from './limits.js'
import { TemplateSyntaxError } from './template-errors.js'
import type { Position } from './template-errors.js'

/** Reads tokens one after another, and knows which variables are declared where it stands. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #index = 0
  #nesting = 0
  #variables: string[] = ['$']

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** The token `ahead` places on, without taking it. Past the last one there is still the last one. */
  peek(ahead = 0): Token {
    const token = this.#tokens[this.#index + ahead] ?? this.#tokens.at(-1)
    if (token === undefined) throw new Error('a token list is never empty')
    return token
  }

  /** Takes the next token. */
  next(): Token {
    const token = this.peek()
    this.#index++
    return token
  }

  /** Whether the next token is this punctuation mark. */
  isAt(mark: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'punctuation' && token.text === mark
  }

  expectClose(where: string): void {
    const token = this.next()
    if (token.kind !== 'close') this.fail(`unexpected ${describe(token)} in ${where}`, token)
  }

  expectString(where: string): string {
    const token = this.next()
    if (token.kind !== 'string')
      this.fail(`unexpected ${describe(token)} in ${where}: a quoted name is expected`, token)
    return token.text
  }

  /** Parses one level deeper. */
  nest<A>(parse: () => A): A {
    if (this.#nesting >= MAX_NESTING) this.fail(`blocks nest too deep (max ${MAX_NESTING})`)
    this.#nesting++
    const parsed = parse()
    this.#nesting--
    return parsed
  }

  /** Parses a block: what it declares ends with it. */
  scope<A>(parse: () => A): A {
    const declared = this.#variables.length
    const parsed = parse()
    this.#variables.length = declared
    return parsed
  }

  /** Parses a definition: it begins with `$` alone. */
  isolate<A>(parse: () => A): A {
    const variables = this.#variables
    this.#variables = ['$']
    const parsed = parse()
    this.#variables = variables
    return parsed
  }

  declare(name: string): void {
    this.#variables.push(name)
  }

  declares(name: string): boolean {
    return this.#variables.includes(name)
  }

  fail(message: string, { at }: { readonly at: Position } = this.peek()): never {
    throw new TemplateSyntaxError(`failed to parse template: line ${at.line}, column ${at.column}: ${message}`, at)
  }
}

/** Names a token in an error. */
export function describe(token: Token): string {
  if (token.kind === 'end') return 'end of template'
  if (token.kind === 'close') return '}}'
  return token.kind === 'field' ? JSON.stringify(`.${token.text}`) : JSON.stringify(token.text)
}
