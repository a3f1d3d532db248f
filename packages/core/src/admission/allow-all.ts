import * as Effect from 'effect/Effect'

import type { AdmissionShape } from './admission.js'
import type { Decision } from './question.js'

const allowed: Decision = { allowed: true, policyIds: [] }

/** Admission without a policy: everything is allowed, to everyone, and a list comes back as it went in. */
export const allowAll: AdmissionShape = {
  decide: () => Effect.succeed(allowed),
  keep: (_identity, items) => Effect.succeed(items),
}
