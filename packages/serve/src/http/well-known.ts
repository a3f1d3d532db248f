import type { PageAnswer } from './health.js'

/** `/.well-known/…`: nothing is published there, said in JSON, as OAuth clients probe it. */
export function wellKnown(): PageAnswer {
  return { status: 404, body: { error: 'not_found' } }
}
