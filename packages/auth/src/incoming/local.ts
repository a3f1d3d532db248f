import { userInfo } from 'node:os'
import type { IncomingAuth } from '@vmcp/domain'
import { Identity } from '@vmcp/domain'

/** The issuer of local identities. */
export const localIssuer = 'vmcp-local'

/**
 * Takes every caller for one local user: the one this process runs as, unless `user` names another.
 * For a gateway on one's own machine; it checks nothing.
 */
export function local(options: { readonly user?: string } = {}): IncomingAuth {
  const subject = options.user ?? userName()
  const identity = new Identity({
    issuer: localIssuer,
    subject,
    name: subject,
    claims: { iss: localIssuer, sub: subject },
  })
  return { authenticate: async () => ({ outcome: 'authenticated', identity }) }
}

/** Some containers run as a user id without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'local'
  }
}
