import type { ExplanationStep } from '@vmcp/domain'

import type { Decision, Denial } from '../admission/question.js'

const reasons: Record<Denial, string> = {
  forbidden: 'a policy forbids it',
  unpermitted: 'no policy permits it for this caller',
  undecidable: 'it is denied, since a policy could not be evaluated',
}

/** The last step of the way: what the policy says of a call without arguments, and whether others may change that. */
export function policyStep(decision: Decision): ExplanationStep {
  const { allowed, policyIds } = decision
  const ids = policyIds.length === 0 ? '' : ` (${policyIds.join(', ')})`
  const reason = allowed ? 'the policy allows it' : reasons[decision.why]
  const unless = !allowed && decision.argumentsMayHelp ? '; a policy on arguments may still permit a call' : ''
  return { check: 'policy', passed: allowed, message: `${reason}${ids}${unless}`, policyIds }
}
