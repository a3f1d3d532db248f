import type { ConfigProblem } from '@vmcp/domain'
import type { DetailedError, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'

import type { Cedar } from './engine-module.js'

/** One policy, under the id by which decisions and explanations name it. */
export interface NamedPolicy {
  readonly id: string
  readonly text: string
  readonly json: PolicyJson
}

/** The policies of a configuration, or what is wrong with them. */
export interface PolicyReading {
  readonly policies: readonly NamedPolicy[]
  readonly problems: readonly ConfigProblem[]
}

/**
 * Reads policy texts, each of one policy or more.
 * A policy is named by its `@id` annotation when nobody else has that name, else by its place: `policy0`, or `policy0.1`
 * for the second one of a text.
 */
export function readPolicies(cedar: Cedar, texts: readonly string[]): PolicyReading {
  if (texts.length === 0) {
    return { policies: [], problems: [{ path: 'authorization.policies', message: 'at least one policy is required' }] }
  }
  const readings = texts.map((text, index) => readText(cedar, text, index))
  const policies = readings.flatMap((reading) => reading.policies)
  return { policies: nameByAnnotation(policies), problems: readings.flatMap((reading) => reading.problems) }
}

function readText(cedar: Cedar, text: string, index: number): PolicyReading {
  const path = `authorization.policies[${index}]`
  const failed = (message: string): PolicyReading => ({ policies: [], problems: [{ path, message }] })
  const parts = cedar.policySetTextToParts(text)
  if (parts.type === 'failure') return failed(describeFailure(parts.errors, text))
  if (parts.policy_templates.length > 0) return failed('a policy with slots such as ?principal cannot be used')
  if (parts.policies.length === 0) return failed('it holds no policy')
  const policies: NamedPolicy[] = []
  for (const [place, part] of parts.policies.entries()) {
    const parsed = cedar.policyToJson(part)
    if (parsed.type === 'failure') return failed(describeFailure(parsed.errors, part))
    const id = place === 0 ? `policy${index}` : `policy${index}.${place}`
    policies.push({ id, text: part, json: parsed.json })
  }
  return { policies, problems: [] }
}

function describeFailure(errors: readonly DetailedError[], text: string): string {
  return errors.map((error) => describeError(error, text)).join('; ')
}

/** Cedar's own words on what is wrong in `text`, with line and column. Cedar counts bytes, we count characters. */
function describeError(error: DetailedError, text: string): string {
  const location = error.sourceLocations?.[0]
  const hints = [location?.label, error.help].filter((hint) => typeof hint === 'string' && hint !== '')
  const message = [error.message, ...hints].join('; ')
  if (location === undefined) return message
  const lines = Buffer.from(text, 'utf8').subarray(0, location.start).toString('utf8').split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: ${message}`
}

function nameByAnnotation(policies: readonly NamedPolicy[]): readonly NamedPolicy[] {
  const taken = new Set(policies.map((policy) => policy.id))
  return policies.map((policy) => {
    const id = policy.json.annotations?.['id']
    if (id === undefined || id === '' || taken.has(id)) return policy
    taken.add(id)
    return { ...policy, id }
  })
}
