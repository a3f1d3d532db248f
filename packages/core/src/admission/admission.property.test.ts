import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import { Identity, silentLogger } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { Admission } from './admission.js'
import { cedarEngine } from './cedar/cedar-engine.js'
import { readEntities } from './cedar/entity-store.js'
import type { Mentions } from './cedar/mentions.js'
import { readPolicies } from './cedar/policies.js'
import { preparsed } from './cedar/preparsed.js'
import { principalOf } from './cedar/principal.js'
import { targetOf } from './cedar/target.js'
import type { Question } from './question.js'

const heads = ['principal, action, resource', 'principal == Client::"alice", action, resource']
  .concat('principal in THVGroup::"eng", action, resource', 'principal, action == Action::"call_tool", resource')
  .concat('principal, action, resource == Tool::"echo"', 'principal, action, resource in MCP::"server"')
const conditions = ['true', 'context.arg_x == 1', 'context has arg_x && context.arg_x == 1', 'context == {}']
  .concat('resource has readOnlyHint && resource.readOnlyHint', 'principal.claim_team == "red"')
  .concat('context has arg_y_present', 'resource.name like "e*"', 'principal in THVGroup::"staff"')

const clause = fc.tuple(fc.constantFrom(...heads), fc.constantFrom(...conditions))
const forbid = clause.map(([head, condition]) => `forbid(${head}) when { ${condition} };`)
const permit = clause.map(([head, condition]) => `permit(${head}) when { ${condition} };`)
const policySet = fc.array(fc.oneof({ weight: 3, arbitrary: permit }, forbid), { minLength: 1, maxLength: 4 })

const entitiesJson = '[{"uid":{"type":"THVGroup","id":"eng"},"parents":[{"type":"THVGroup","id":"staff"}]}]'
const callers = [
  new Identity({ issuer: 'i', subject: 'alice', claims: { groups: ['eng'], team: 'red' } }),
  new Identity({ issuer: 'i', subject: 'alice', claims: { team: 'blue' } }),
  new Identity({ issuer: 'i', subject: 'bob', claims: { groups: ['ops'] } }),
  null,
]
const questions: readonly Question[] = [
  { kind: 'tool', name: 'echo' },
  { kind: 'tool', name: 'echo', arguments: { x: 1, z: 'other' } },
  { kind: 'tool', name: 'echo', arguments: { x: 2, y: [] }, annotations: { readOnlyHint: true } },
  { kind: 'tool', name: 'add', annotations: { readOnlyHint: false } },
  { kind: 'resource', uri: 'echo' },
  { kind: 'prompt', name: 'echo' },
]
const everyCase = callers.flatMap((caller) => questions.map((question) => ({ caller, question })))

describe('Admission by Cedar, for any policies', () => {
  it('allows no more after a forbid is added', async () => {
    await fc.assert(
      fc.asyncProperty(policySet, forbid, async (policies, added) => {
        const before = await answers(policies)
        const after = await answers([...policies, added])
        expect(after.filter((allowed, index) => allowed && before[index] !== true)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('answers as Cedar does when it is given everything and asked every time', async () => {
    await fc.assert(
      fc.asyncProperty(policySet, async (policies) => {
        expect(await answers(policies)).toEqual(await plainAnswers(policies))
      }),
      { numRuns: 60 },
    )
  })

  it('never rules out arguments that lead to permission', async () => {
    await fc.assert(
      fc.asyncProperty(policySet, async (policies) => {
        const authorization = { type: 'cedar', policies, entitiesJson } as const
        const layer = Admission.layer({ serverName: 'server', authorization, logger: silentLogger })
        const program = Effect.gen(function* () {
          const { decide } = yield* Admission
          for (const caller of callers) {
            const without = yield* decide(caller, { kind: 'tool', name: 'echo' })
            if (without.allowed || without.argumentsMayHelp) continue
            for (const x of [1, 2, []]) {
              const { allowed } = yield* decide(caller, { kind: 'tool', name: 'echo', arguments: { x } })
              expect([without, x, allowed]).toEqual([without, x, false])
            }
          }
        })
        await Effect.runPromise(Effect.provide(program, layer))
      }),
      { numRuns: 60 },
    )
  })
})

/** Each question is asked twice, so that the second answer comes from the cache. */
function answers(policies: readonly string[]): Promise<readonly boolean[]> {
  const authorization = { type: 'cedar', policies, entitiesJson } as const
  const layer = Admission.layer({ serverName: 'server', authorization, logger: silentLogger })
  const program = Effect.gen(function* () {
    const { decide } = yield* Admission
    const round = Effect.forEach(everyCase, ({ caller, question }) => decide(caller, question))
    const [first, second] = [yield* round, yield* round]
    expect(second).toEqual(first)
    return first.map((decision) => decision.allowed)
  })
  return Effect.runPromise(Effect.provide(program, layer))
}

/** The same without a cache and with every attribute. */
function plainAnswers(texts: readonly string[]): Promise<readonly boolean[]> {
  const mentions: Mentions = { attribute: () => true, arguments: true, entities: [{ type: 'THVGroup', id: 'eng' }] }
  const entities = readEntities(cedar, entitiesJson, mentions.entities)
  if (!('complete' in entities)) throw new Error('unreadable entities')
  const program = Effect.gen(function* () {
    const policySetId = yield* preparsed(cedar, readPolicies(cedar, texts).policies)
    const evaluate = cedarEngine({
      cedar,
      policySetId,
      argumentsMayHelp: () => true,
      entities,
      serverName: 'server',
      logger: silentLogger,
    })
    return everyCase.map(({ caller, question }) => {
      const principal = caller === null ? undefined : principalOf(caller, { groupEntityType: 'THVGroup', mentions })
      return principal !== undefined && evaluate(principal, targetOf(question, mentions)).allowed
    })
  })
  return Effect.runPromise(Effect.scoped(program))
}
