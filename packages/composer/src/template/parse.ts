import type { BranchStatement, Statement, TemplateTree } from './ast.js'
import type { Token } from './lexer.js'
import { parsePipeline } from './parse-pipeline.js'
import { TokenReader } from './token-reader.js'

/** Builds the tree of a template from its tokens. Unknown functions and undeclared variables are errors here. */
export function parseTokens(tokens: readonly Token[]): TemplateTree {
  return new StatementParser(new TokenReader(tokens)).parse()
}

/** What ended a list of statements. */
type Terminator = 'end' | 'else' | 'source'

class StatementParser {
  readonly #reader: TokenReader
  readonly #definitions = new Map<string, readonly Statement[]>()
  #rangeDepth = 0

  constructor(reader: TokenReader) {
    this.#reader = reader
  }

  parse(): TemplateTree {
    const { statements, terminator } = this.#parseList(true)
    if (terminator !== 'source') this.#reader.fail(`unexpected {{${terminator}}}`)
    return { body: statements, definitions: this.#definitions }
  }

  #parseList(top = false): { readonly statements: readonly Statement[]; readonly terminator: Terminator } {
    const statements: Statement[] = []
    for (;;) {
      const token = this.#reader.next()
      if (token.kind === 'end') {
        if (!top) this.#reader.fail('unexpected end of template: a block is not closed by {{end}}')
        return { statements, terminator: 'source' }
      }
      if (token.kind === 'text') {
        statements.push({ kind: 'text', text: token.text })
        continue
      }
      const keyword = this.#reader.peek()
      if (keyword.kind === 'keyword' && (keyword.text === 'end' || keyword.text === 'else')) {
        this.#reader.next()
        return { statements, terminator: keyword.text }
      }
      const statement = this.#parseAction(top)
      if (statement !== undefined) statements.push(statement)
    }
  }

  #parseAction(top: boolean): Statement | undefined {
    const { kind, text } = this.#reader.peek()
    if (kind === 'keyword' && !['nil', 'true', 'false'].includes(text)) {
      const keyword = this.#reader.next()
      switch (text) {
        case 'if':
        case 'with':
        case 'range':
          return this.#parseBranch(text)
        case 'break':
        case 'continue':
          return this.#parseJump(keyword, text)
        case 'template':
          return this.#parseInvocation(keyword)
        case 'block':
          return this.#parseBlock(keyword)
        case 'define':
          if (!top) this.#reader.fail('unexpected {{define}} inside a block', keyword)
          return this.#parseDefinition()
      }
    }
    const pipeline = parsePipeline(this.#reader, 'command')
    this.#reader.expectClose('command')
    return { kind: 'action', pipeline }
  }

  #parseBranch(kind: BranchStatement['kind']): BranchStatement {
    return this.#reader.nest(() =>
      this.#reader.scope(() => {
        const pipeline = parsePipeline(this.#reader, kind)
        this.#reader.expectClose(kind)
        if (kind === 'range') this.#rangeDepth++
        const { statements: body, terminator } = this.#parseList()
        if (kind === 'range') this.#rangeDepth--
        const otherwise = terminator === 'else' ? this.#parseElse(kind) : this.#closeWith([], 'end')
        return { kind, pipeline, body, otherwise }
      }),
    )
  }

  /** `{{else if}}` and `{{else with}}` share the `{{end}}` of the block they continue. */
  #parseElse(kind: BranchStatement['kind']): readonly Statement[] {
    const { kind: tokenKind, text } = this.#reader.peek()
    if (tokenKind === 'keyword' && text === kind && kind !== 'range') {
      this.#reader.next()
      return [this.#parseBranch(kind)]
    }
    this.#reader.expectClose('else')
    const { statements, terminator } = this.#parseList()
    if (terminator !== 'end') this.#reader.fail('expected {{end}}, found {{else}}')
    return this.#closeWith(statements, 'end')
  }

  #closeWith(statements: readonly Statement[], what: string): readonly Statement[] {
    this.#reader.expectClose(what)
    return statements
  }

  #parseJump(keyword: Token, kind: 'break' | 'continue'): Statement {
    if (this.#rangeDepth === 0) this.#reader.fail(`{{${kind}}} outside {{range}}`, keyword)
    this.#reader.expectClose(kind)
    return { kind, at: keyword.at }
  }

  #parseInvocation(keyword: Token): Statement {
    const name = this.#reader.expectString('template')
    const argument = this.#reader.peek().kind === 'close' ? null : parsePipeline(this.#reader, 'template')
    this.#reader.expectClose('template')
    return { kind: 'template', name, argument, at: keyword.at }
  }

  #parseBlock(keyword: Token): Statement {
    const name = this.#reader.expectString('block')
    const argument = parsePipeline(this.#reader, 'block')
    this.#reader.expectClose('block')
    this.#define(name, keyword)
    return { kind: 'template', name, argument, at: keyword.at }
  }

  #parseDefinition(): undefined {
    const name = this.#reader.expectString('define')
    const at = this.#reader.peek()
    this.#reader.expectClose('define')
    this.#define(name, at)
  }

  /** A definition sees none of the variables around it, and no loop. */
  #define(name: string, at: Token): void {
    const rangeDepth = this.#rangeDepth
    this.#rangeDepth = 0
    const body = this.#reader.nest(() =>
      this.#reader.isolate(() => {
        const { statements, terminator } = this.#parseList()
        if (terminator !== 'end') this.#reader.fail('unexpected {{else}} in a definition')
        return this.#closeWith(statements, 'end')
      }),
    )
    this.#rangeDepth = rangeDepth
    const known = this.#definitions.get(name)
    if (known !== undefined && !isBlank(known)) {
      if (isBlank(body)) return
      this.#reader.fail(`template ${JSON.stringify(name)} is defined twice`, at)
    }
    this.#definitions.set(name, body)
  }
}

function isBlank(statements: readonly Statement[]): boolean {
  return statements.every((statement) => statement.kind === 'text' && statement.text.trim() === '')
}
