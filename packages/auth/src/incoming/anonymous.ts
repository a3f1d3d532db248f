import type { IncomingAuth } from '@vmcp/domain'

/** Lets everybody in, as nobody: the identity is `null`. */
export function anonymous(): IncomingAuth {
  return { authenticate: async () => ({ outcome: 'authenticated', identity: null }) }
}
