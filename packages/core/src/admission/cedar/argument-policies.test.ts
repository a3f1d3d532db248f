import { describe, expect, it } from 'vitest'

import { argumentsMayHelp } from './argument-policies.js'
import { cedar } from './engine-module.js'
import { readPolicies } from './policies.js'

const mayHelp = (...texts: readonly string[]) => argumentsMayHelp(readPolicies(cedar, texts).policies)
const all = 'permit(principal, action, resource);'
const onArgument = 'forbid(principal, action, resource) when { resource has arg_env };'

describe('argumentsMayHelp', () => {
  it('is false where one of the policies that denied looks at no argument', () => {
    const answer = mayHelp(all, 'forbid(principal, action, resource);', onArgument)
    expect([answer(['policy1']), answer(['policy1', 'policy2']), answer(['policy2'])]).toEqual([false, false, true])
  })

  it('needs a permit on arguments where no policy spoke', () => {
    expect(mayHelp('permit(principal, action, resource == Tool::"x");', onArgument)([])).toBe(false)
    expect(mayHelp('permit(principal, action, resource) when { context has arg_env };')([])).toBe(true)
  })

  it('takes a policy on the whole context for one on arguments', () => {
    expect(mayHelp('permit(principal, action, resource) when { context == {"arg_a": 1} };')([])).toBe(true)
  })
})
