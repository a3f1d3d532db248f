import { TaggedError } from './base.js'

/** The user did not answer in time. */
export class ElicitationTimeout extends TaggedError {
  readonly _tag = 'ElicitationTimeout'
  /** The step that asked, by id. */
  readonly stepId: string

  constructor(stepId: string, options?: ErrorOptions) {
    super(`elicitation request timed out: step ${stepId}`, options)
    this.stepId = stepId
  }
}

/** The user closed the form without a choice. */
export class ElicitationCancelled extends TaggedError {
  readonly _tag = 'ElicitationCancelled'
  /** The step that asked, by id. */
  readonly stepId: string

  constructor(stepId: string, options?: ErrorOptions) {
    super(`elicitation request was cancelled by user: step ${stepId}`, options)
    this.stepId = stepId
  }
}

/** The user refused. */
export class ElicitationDeclined extends TaggedError {
  readonly _tag = 'ElicitationDeclined'
  /** The step that asked, by id. */
  readonly stepId: string

  constructor(stepId: string, options?: ErrorOptions) {
    super(`elicitation request was declined by user: step ${stepId}`, options)
    this.stepId = stepId
  }
}

/** Nobody can be asked: the call has no channel for it and the gateway has no requester. */
export class ElicitationNotConfigured extends TaggedError {
  readonly _tag = 'ElicitationNotConfigured'
  /** The step that has the question, by id. */
  readonly stepId: string

  constructor(stepId: string, options?: ErrorOptions) {
    super(`elicitation requester not configured: step ${stepId}`, options)
    this.stepId = stepId
  }
}

/** The form is over the size limit (100 KB of JSON). */
export class SchemaTooLarge extends TaggedError {
  readonly _tag = 'SchemaTooLarge'
  /** Bytes that the form takes as JSON. */
  readonly bytes: number
  /** Bytes that it may take. */
  readonly limit: number

  constructor(bytes: number, limit: number, options?: ErrorOptions) {
    super(`schema too large: ${bytes} bytes (max ${limit})`, options)
    this.bytes = bytes
    this.limit = limit
  }
}

/** The form, or the answer to it, is nested deeper than 10 levels. */
export class SchemaTooDeep extends TaggedError {
  readonly _tag = 'SchemaTooDeep'
  /** Levels of nesting that it may have. */
  readonly limit: number

  constructor(what: 'schema' | 'response content', limit: number, options?: ErrorOptions) {
    super(`${what} nesting too deep (max ${limit})`, options)
    this.limit = limit
  }
}

/** The answer is over the size limit (1 MB of JSON). */
export class ContentTooLarge extends TaggedError {
  readonly _tag = 'ContentTooLarge'
  /** Bytes that the answer takes as JSON. */
  readonly bytes: number
  /** Bytes that it may take. */
  readonly limit: number

  constructor(bytes: number, limit: number, options?: ErrorOptions) {
    super(`response content too large: ${bytes} bytes (max ${limit})`, options)
    this.bytes = bytes
    this.limit = limit
  }
}

/** Why a workflow did not complete. */
export type WorkflowFailureReason =
  | {
      readonly _tag: 'StepFailed'
      /** The step, by id. */
      readonly stepId: string
    }
  | {
      readonly _tag: 'StepTimedOut'
      /** The step, by id. */
      readonly stepId: string
      /** Milliseconds that it had, retries included. */
      readonly timeoutMs: number
    }
  | {
      readonly _tag: 'WorkflowTimedOut'
      /** Milliseconds that the whole run had. */
      readonly timeoutMs: number
    }
  | {
      readonly _tag: 'OutputFailed'
      /** The property that could not be made, as a dotted path. */
      readonly property: string
    }
  | {
      readonly _tag: 'InvalidArguments'
      /** The argument at fault, as a dotted path; empty for all of them together. */
      readonly field: string
      /** The JSON Schema keyword that it breaks, such as `required`. */
      readonly rule: string
    }
  /** The step has a question for a caller who answers by calling again, and the run's state cannot be sent. */
  | {
      readonly _tag: 'CannotSuspend'
      /** The step, by id. */
      readonly stepId: string
    }
  /** A defect of the engine, or of what it was given. */
  | { readonly _tag: 'Internal' }

/** The workflow did not complete. `cause` keeps what stopped it; argument values are not in the message. */
export class WorkflowFailed extends TaggedError {
  readonly _tag = 'WorkflowFailed'
  /** The name of the workflow. */
  readonly workflow: string
  /** Why, with the step or the setting that it was. */
  readonly reason: WorkflowFailureReason

  constructor(workflow: string, reason: WorkflowFailureReason, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.workflow = workflow
    this.reason = reason
  }
}
