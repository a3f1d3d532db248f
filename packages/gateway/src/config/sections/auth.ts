import * as z from 'zod'
import { nonEmptyText, oneOf, optional, section, text } from '../fields.js'

const authz = section({
  type: oneOf('cedar', 'none'),
  policies: optional(z.array(text, 'expected a list of Cedar policies')),
  entitiesJson: optional(text),
  groupClaimName: optional(nonEmptyText),
  roleClaimName: optional(nonEmptyText),
  groupEntityType: optional(nonEmptyText),
})

/** Who the callers are, and what they may do. */
export const incomingAuth = section({
  type: oneOf('anonymous', 'local'),
  authz: optional(authz),
})

const strategy = section({
  type: oneOf('unauthenticated', 'header_injection'),
  headerInjection: optional(
    section({
      headerName: nonEmptyText,
      headerValue: optional(nonEmptyText),
      headerValueEnv: optional(nonEmptyText),
    }),
  ),
})

/** Which credentials the backends get. */
export const outgoingAuth = section({
  source: optional(oneOf('inline')),
  default: optional(strategy),
  backends: optional(z.record(z.string(), strategy, 'expected a section of backend names and strategies')),
})

/** The credentials for one backend. */
export type StrategySection = z.infer<typeof strategy>
