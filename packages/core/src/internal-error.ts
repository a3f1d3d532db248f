/**
 * A defect of the gateway itself, or of an object that was given to it. It is no `VmcpError`, because no caller can act on
 * it. The message says nothing; `cause` holds what was thrown, and it has been logged.
 */
export class InternalError extends Error {
  constructor(defect: unknown) {
    super('internal error', { cause: defect })
    this.name = 'InternalError'
  }
}
