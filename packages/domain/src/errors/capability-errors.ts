import { TaggedError } from './base.js'

/** What can be missing. */
export type NotFoundKind = 'tool' | 'resource' | 'prompt' | 'backend' | 'workflow'

/** The named thing does not exist for this caller. A lookup answers this for a denied name too. */
export class NotFound extends TaggedError {
  readonly _tag = 'NotFound'
  /** What kind of thing was asked for. */
  readonly kind: NotFoundKind
  /** The name or URI that was asked for. */
  readonly subject: string

  constructor(kind: NotFoundKind, subject: string, options?: ErrorOptions) {
    super(`not found: ${kind} "${subject}"`, options)
    this.kind = kind
    this.subject = subject
  }
}

/** What was refused. */
export type DeniedKind = 'call' | 'read' | 'prompt'

/** The policy refused. It names the kind only, so that it never reveals what exists. */
export class AuthorizationDenied extends TaggedError {
  readonly _tag = 'AuthorizationDenied'
  /** The verb that was refused. */
  readonly kind: DeniedKind

  constructor(kind: DeniedKind, options?: ErrorOptions) {
    super(`${kind} denied by authorization policy`, options)
    this.kind = kind
  }
}

/** The request is malformed. */
export class InvalidInput extends TaggedError {
  readonly _tag = 'InvalidInput'
  /** The field at fault, as a dotted path. */
  readonly field: string | undefined

  constructor(detail: string, options?: ErrorOptions & { readonly field?: string }) {
    super(`invalid input: ${detail}`, options)
    this.field = options?.field
  }
}

/** The `requestState` of a retry is forged, expired, somebody else's or used up. It does not say which. */
export class InvalidRequestState extends TaggedError {
  readonly _tag = 'InvalidRequestState'

  constructor(options?: ErrorOptions) {
    super('invalid or expired requestState', options)
  }
}

/** The call needs something of the client that it did not declare. */
export class ClientCapabilityMissing extends TaggedError {
  readonly _tag = 'ClientCapabilityMissing'
  /** What the client would have had to declare. */
  readonly capability: 'elicitation' | 'sampling' | 'roots'

  constructor(capability: 'elicitation' | 'sampling' | 'roots', options?: ErrorOptions) {
    super(`the client does not support ${capability}`, options)
    this.capability = capability
  }
}

/** The caller is over its limit. */
export class RateLimited extends TaggedError {
  readonly _tag = 'RateLimited'
  /** Whole seconds until a call is worth trying. */
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number, options?: ErrorOptions) {
    super('Rate limit exceeded', options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The caller's signal aborted, or the gateway was closed during the verb. */
export class Cancelled extends TaggedError {
  readonly _tag = 'Cancelled'

  constructor(detail = 'operation cancelled', options?: ErrorOptions) {
    super(detail, options)
  }
}
