import type { OutgoingAuth } from '@vmcp/domain'

/** Sends no credentials: for backends that ask for none. */
export function unauthenticated(): OutgoingAuth {
  return {
    type: 'unauthenticated',
    credentialKey: () => 'unauthenticated',
    fixedHeaders: () => ({}),
    headers: async () => ({}),
  }
}
