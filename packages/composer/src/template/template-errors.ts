/** Where something stands in a template's source: both numbers start at 1 and count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The template does not parse. It is found when a definition is loaded, before anything runs. */
export class TemplateSyntaxError extends Error {
  readonly _tag = 'TemplateSyntaxError'
  readonly line: number
  readonly column: number

  constructor(message: string, at: Position, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TemplateSyntaxError'
    this.line = at.line
    this.column = at.column
  }
}

/** The template parsed but could not be carried out on this data. The message holds no value of the data. */
export class TemplateExecutionError extends Error {
  readonly _tag = 'TemplateExecutionError'
  readonly line: number
  readonly column: number

  constructor(message: string, at: Position, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TemplateExecutionError'
    this.line = at.line
    this.column = at.column
  }
}

/** What went wrong, raised where the position is not known. The evaluator turns it into an error that has one. */
export class TemplateFault extends Error {}

/** True for the two errors that leave this folder. */
export function isTemplateError(error: unknown): error is TemplateSyntaxError | TemplateExecutionError {
  return error instanceof TemplateSyntaxError || error instanceof TemplateExecutionError
}
