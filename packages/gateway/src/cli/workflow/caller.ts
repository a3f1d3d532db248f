import { Identity, InvalidInput, type JsonObject } from '@vmcp/domain'
import type { GatewayConfig } from '../../config/gateway-config.js'
import { incomingAuth } from '../../gateway.js'

/** Who is to call, as options of a command. */
export interface CallerOptions {
  readonly subject?: string
  readonly issuer?: string
  readonly claims?: JsonObject
}

/**
 * The caller that the options name; without a subject, what the configuration takes a request without credentials for.
 * Rejects with `InvalidInput` when there are an issuer or claims, but no subject.
 */
export async function findCaller(config: GatewayConfig, options: CallerOptions): Promise<Identity | null> {
  const { subject, issuer = 'vmcp-local', claims } = options
  if (subject !== undefined) {
    return new Identity({ issuer, subject, claims: { ...claims, iss: issuer, sub: subject } })
  }
  if (options.issuer !== undefined || claims !== undefined) {
    throw new InvalidInput('--issuer and --claims need --subject')
  }
  const answer = await incomingAuth(config).authenticate({ headers: {} })
  return answer.outcome === 'authenticated' ? answer.identity : null
}

/** A caller, for people. */
export function describeCaller(identity: Identity | null): string {
  return identity === null ? 'an anonymous caller' : `${identity.subject} of ${identity.issuer}`
}
