import { MAX_SOURCE_LENGTH, MAX_TOKENS } from './limits.js'
import { codePointOf, numberOf, unquote } from './literals.js'
import { TemplateSyntaxError } from './template-errors.js'
import type { Position } from './template-errors.js'

/** What a token is. `punctuation` is one of `( ) | , := =`. */
export type TokenKind =
  | 'text'
  | 'open'
  | 'close'
  | 'field'
  | 'variable'
  | 'name'
  | 'keyword'
  | 'string'
  | 'number'
  | 'dot'
  | 'punctuation'
  | 'end'

/** A piece of the source. */
export interface Token {
  readonly kind: TokenKind
  /** The text itself; decoded for a string, without the leading dot for a field. */
  readonly text: string
  /** The number it stands for, and whether it is written as an integer. */
  readonly number: { readonly value: number; readonly integer: boolean } | null
  /** Whether white space stands before it. */
  readonly spaced: boolean
  readonly start: number
  readonly end: number
  readonly at: Position
}

/** Cuts a template's source into tokens, the last of which is `end`. Text arrives trimmed, comments do not arrive. */
export function tokenize(source: string): readonly Token[] {
  const lexer = new Lexer(source)
  lexer.run()
  return lexer.tokens
}

const KEYWORDS = new Set('block break continue define else end if nil range template true false with'.split(' '))
const SPACE = /[ \t\r\n]+/y
const WORD = /[_\p{L}\p{Nd}]+/uy
const NUMBER = /[+-]?(?:0[xX][0-9a-fA-F_]*|0[oO][0-7_]*|0[bB][01_]*|\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y
const QUOTED = /"(?:[^"\\\n]|\\[^\n])*"/y
const CHARACTER = /'(?:[^'\\\n]|\\[^\n])*'/y
const PUNCTUATION = /:=|[=|,()]/y

class Lexer {
  readonly tokens: Token[] = []
  readonly #source: string
  #offset = 0
  #spaced = false
  #parentheses = 0
  #trimNext = false
  #line = 1
  #lineStart = 0
  #nextBreak: number

  constructor(source: string) {
    this.#source = source
    this.#nextBreak = source.indexOf('\n')
  }

  run(): void {
    if (this.#source.length > MAX_SOURCE_LENGTH)
      this.#fail(`template too long (max ${MAX_SOURCE_LENGTH} characters)`, 0)
    while (this.#offset < this.#source.length) {
      const open = this.#source.indexOf('{{', this.#offset)
      this.#readText(open < 0 ? this.#source.length : open)
      if (open < 0) break
      this.#readAction()
    }
    this.#push('end', '', this.#source.length)
  }

  #readText(end: number): void {
    let text = this.#source.slice(this.#offset, end)
    if (this.#trimNext) text = text.replace(/^[ \t\r\n]+/, '')
    if (/^\{\{-[ \t\r\n]/.test(this.#source.slice(end, end + 4))) text = trimEnd(text)
    this.#trimNext = false
    const start = this.#offset
    this.#offset = end
    if (text !== '') this.#push('text', text, start)
  }

  #readAction(): void {
    const start = this.#offset
    const trims = /^-[ \t\r\n]/.test(this.#source.slice(start + 2, start + 4))
    const inside = start + (trims ? 4 : 2)
    if (this.#source.startsWith('/*', inside)) return this.#skipComment(start, inside)
    this.#offset = start + 2
    this.#push('open', '{{', start)
    this.#offset = inside
    this.#spaced = false
    this.#parentheses = 0
    while (!this.#readClose()) this.#readToken()
  }

  #skipComment(start: number, inside: number): void {
    const end = this.#source.indexOf('*/', inside + 2)
    if (end < 0) this.#fail('unclosed comment', start)
    const close = /^(?:[ \t\r\n](-))?\}\}/.exec(this.#source.slice(end + 2, end + 6))
    if (close === null) this.#fail('comment ends before closing delimiter', start)
    this.#trimNext = close[1] !== undefined
    this.#offset = end + 2 + close[0].length
  }

  /** Skips white space and reads the end of the action, if it stands here. */
  #readClose(): boolean {
    const start = this.#offset
    this.#spaced = this.#match(SPACE) !== undefined
    const trims = this.#spaced && this.#source.startsWith('-}}', this.#offset)
    if (!trims && !this.#source.startsWith('}}', this.#offset)) return false
    if (this.#parentheses > 0) this.#fail('unclosed left paren', this.#offset)
    this.#trimNext = trims
    this.#offset += trims ? 3 : 2
    this.#push('close', '}}', start)
    return true
  }

  #readToken(): void {
    const start = this.#offset
    const source = this.#source
    const first = source.charAt(start)
    if (first === '') this.#fail('unclosed action', start)
    if (first === '"') return this.#readQuoted(start)
    if (first === '`') return this.#readRaw(start)
    if (first === "'") return this.#readCharacter(start)
    if (/[+\-\d]/.test(first) || (first === '.' && /\d/.test(source.charAt(start + 1)))) return this.#readNumber(start)
    if (first === '.' || first === '$') return this.#readReference(first, start)
    const punctuation = this.#match(PUNCTUATION)
    if (punctuation !== undefined) return this.#readPunctuation(punctuation, start)
    const word = this.#match(WORD)
    if (word === undefined)
      this.#fail(`unexpected character ${JSON.stringify(characterAt(source, start))} in action`, start)
    this.#expectBoundary()
    this.#push(KEYWORDS.has(word) ? 'keyword' : 'name', word, start)
  }

  #readPunctuation(text: string, start: number): void {
    if (text === '(') this.#parentheses++
    if (text === ')' && --this.#parentheses < 0) this.#fail('unexpected right paren', start)
    this.#push('punctuation', text, start)
  }

  #readReference(first: string, start: number): void {
    this.#offset++
    const word = this.#match(WORD) ?? ''
    this.#expectBoundary()
    if (first === '$') this.#push('variable', `$${word}`, start)
    else this.#push(word === '' ? 'dot' : 'field', word, start)
  }

  #readQuoted(start: number): void {
    const quoted = this.#match(QUOTED)
    if (quoted === undefined) this.#fail('unterminated quoted string', start)
    const text = unquote(quoted)
    if (text === undefined) this.#fail('invalid escape in quoted string', start)
    this.#push('string', text, start)
  }

  #readRaw(start: number): void {
    const end = this.#source.indexOf('`', start + 1)
    if (end < 0) this.#fail('unterminated raw quoted string', start)
    this.#offset = end + 1
    this.#push('string', this.#source.slice(start + 1, end).replaceAll('\r', ''), start)
  }

  #readCharacter(start: number): void {
    const quoted = this.#match(CHARACTER)
    if (quoted === undefined) this.#fail('unterminated character constant', start)
    const value = codePointOf(quoted)
    if (value === undefined) this.#fail('malformed character constant', start)
    this.#push('number', quoted, start, { value, integer: true })
  }

  #readNumber(start: number): void {
    const text = this.#match(NUMBER)
    const number = text === undefined ? undefined : numberOf(text)
    if (text === undefined || number === undefined || this.#match(WORD) !== undefined)
      this.#fail('bad number syntax', start)
    this.#push('number', text, start, number)
  }

  /** A name ends where something else may begin: `$x+2` is refused. */
  #expectBoundary(): void {
    const next = characterAt(this.#source, this.#offset)
    if (next === '' || ' \t\r\n.,|:()'.includes(next) || this.#source.startsWith('}}', this.#offset)) return
    this.#fail(`bad character ${JSON.stringify(next)}`, this.#offset)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset
    const text = pattern.exec(this.#source)?.[0]
    this.#offset += text?.length ?? 0
    return text
  }

  #push(kind: TokenKind, text: string, start: number, number: Token['number'] = null): void {
    if (this.tokens.length >= MAX_TOKENS) this.#fail(`template has too many parts (max ${MAX_TOKENS})`, start)
    const at = this.#locate(start)
    this.tokens.push({ kind, text, number, spaced: this.#spaced, start, end: this.#offset, at })
    this.#spaced = false
  }

  /** Offsets come in rising order, so that each line break is looked for once. */
  #locate(offset: number): Position {
    while (this.#nextBreak >= 0 && this.#nextBreak < offset) {
      this.#line++
      this.#lineStart = this.#nextBreak + 1
      this.#nextBreak = this.#source.indexOf('\n', this.#lineStart)
    }
    return { line: this.#line, column: offset - this.#lineStart + 1 }
  }

  #fail(message: string, offset: number): never {
    const at = this.#locate(offset)
    throw new TemplateSyntaxError(`failed to parse template: line ${at.line}, column ${at.column}: ${message}`, at)
  }
}

function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function characterAt(source: string, offset: number): string {
  const codePoint = source.codePointAt(offset)
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint)
}
