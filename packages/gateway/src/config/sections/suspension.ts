import * as z from 'zod'
import { positiveDuration } from '../duration.js'
import { nonEmptyText, optional, section } from '../fields.js'

const key = section({
  id: nonEmptyText.describe('Names the key inside a state. It is not secret.'),
  secretEnv: nonEmptyText.describe('The environment variable with the secret: at least 32 bytes, in Base64.'),
})

/** How the state of a composite tool, or of a backend that cannot tell callers apart, is sealed for a 2026-07-28 client. */
export const suspension = section({
  keys: z
    .array(key, 'expected a list of keys')
    .min(1, 'expected at least one key')
    .describe('The first one seals, all of them open. Every replica needs the same.'),
  ttl: optional(positiveDuration).describe('How long the client may take to answer. Default: 10m.'),
})
