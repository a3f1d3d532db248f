import * as z from 'zod'
import { nonEmptyText, oneOf, optional, section, text } from '../fields.js'

const authz = section({
  type: oneOf('cedar', 'none').describe('cedar: the policies decide. none: everything is allowed.'),
  policies: optional(z.array(text, 'expected a list of Cedar policies')).describe(
    'Cedar policies (https://docs.cedarpolicy.com); a text may hold several. At least one when the type is cedar.',
  ),
  entitiesJson: optional(text).describe('A Cedar entity store as JSON text; [] when absent.'),
  groupClaimName: optional(nonEmptyText).describe(
    'The claim that holds groups; groups, roles and cognito:groups are tried when absent.',
  ),
  roleClaimName: optional(nonEmptyText).describe('A second claim that holds roles, mapped like groups.'),
  groupEntityType: optional(nonEmptyText).describe('The Cedar type of groups; THVGroup when absent.'),
  primaryUpstreamProvider: optional(nonEmptyText).describe(
    "Take the claims from the caller's token of this upstream provider instead of from the request's.",
  ),
})

/** Who the callers are, and what they may do. */
export const incomingAuth = section({
  type: oneOf('anonymous', 'local').describe(
    'anonymous: every caller is nobody. local: every caller is the user who runs the gateway.',
  ),
  authz: optional(authz).describe('Who may do what. Absent: everything is allowed.'),
})

const headerInjection = section({
  headerName: nonEmptyText.describe('The name of the header.'),
  headerValue: optional(nonEmptyText).describe('Its value. Prefer headerValueEnv for a secret.'),
  headerValueEnv: optional(nonEmptyText).describe('The environment variable that holds its value.'),
})

const strategy = section({
  type: oneOf('unauthenticated', 'header_injection').describe(
    'unauthenticated: no credentials. header_injection: one header.',
  ),
  headerInjection: optional(headerInjection).describe(
    'The header of header_injection, with one of headerValue and headerValueEnv.',
  ),
})

/** Which credentials the backends get. */
export const outgoingAuth = section({
  source: optional(oneOf('inline')).describe('Where strategies come from: this file.'),
  default: optional(strategy).describe('For backends without an entry of their own.'),
  backends: optional(z.record(z.string(), strategy, 'expected a section of backend names and strategies')).describe(
    'By backend name.',
  ),
})

/** The credentials for one backend. */
export type StrategySection = z.infer<typeof strategy>
