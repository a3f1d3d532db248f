import { Identity, type IncomingAuth } from '@vmcp/domain'

const issuer = 'https://login.example'

/** The callers of this story, by their tokens. A real gateway would verify a signed token instead. */
export const callers: Readonly<Record<string, Identity>> = {
  'token-of-ada': new Identity({
    issuer,
    subject: 'ada',
    token: 'token-of-ada',
    claims: { sub: 'ada', tenant_plan: 'team' },
  }),
  'token-of-bob': new Identity({
    issuer,
    subject: 'bob',
    token: 'token-of-bob',
    claims: { sub: 'bob', tenant_plan: 'free' },
  }),
}

/** Tells who is calling, from the bearer token alone. */
export const incomingAuth: IncomingAuth = {
  authenticate: async ({ headers }) => {
    const token = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''
    const identity = Object.hasOwn(callers, token) ? callers[token] : undefined
    if (identity !== undefined) return { outcome: 'authenticated', identity }
    return { outcome: 'rejected', status: 401, message: 'a bearer token is required', challenge: 'Bearer' }
  },
}
