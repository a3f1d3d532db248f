import { TaggedError } from './base.js'

/**
 * A defect of the gateway itself, or of an object that was given to it. No caller can act on it: the message says nothing,
 * `cause` holds what was thrown, and whoever made it has logged that.
 */
export class InternalError extends TaggedError {
  readonly _tag = 'InternalError'

  constructor(options?: ErrorOptions) {
    super('internal error', options)
  }
}
