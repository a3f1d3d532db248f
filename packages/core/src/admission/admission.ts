import type { Identity, InvalidConfig, Logger } from '@vmcp/domain'
import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'

import type { AuthorizationConfig } from '../core-config.js'
import { allowAll } from './allow-all.js'
import { cedarAdmission } from './cedar/cedar-admission.js'
import type { Decision, Question } from './question.js'

/** What `Admission` is made from. */
export interface AdmissionOptions {
  /** The parent entity of every Cedar resource: `MCP::"<serverName>"`. */
  readonly serverName: string
  /** Absent means that everything is allowed. */
  readonly authorization?: AuthorizationConfig
  readonly logger: Logger
}

/** What the admission room does. Lists, lookups and calls all ask here, so that they agree. */
export interface AdmissionShape {
  /** Decides once. A question that cannot be decided is denied, and the reason is logged without the caller. */
  readonly decide: (identity: Identity | null, question: Question) => Effect.Effect<Decision>
  /** Keeps the items whose question is allowed, in order. Long lists are decided in chunks, so that others get a turn. */
  readonly keep: <Item>(
    identity: Identity | null,
    items: readonly Item[],
    ask: (item: Item) => Question,
  ) => Effect.Effect<readonly Item[]>
}

/** May this caller do this? */
export class Admission extends Context.Service<Admission, AdmissionShape>()('@vmcp/core/Admission') {
  /** Cedar when it is configured, else everything is allowed. Fails with every problem of the policies at once. */
  static layer(options: AdmissionOptions): Layer.Layer<Admission, InvalidConfig> {
    const { authorization } = options
    if (authorization === undefined) return Layer.succeed(Admission, allowAll)
    return Layer.effect(Admission, cedarAdmission({ ...options, authorization }))
  }
}
