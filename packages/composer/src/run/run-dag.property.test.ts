import type { WorkflowStep } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolStep } from '../../test/run-for-test.js'
import { runDag } from './run-dag.js'

/** Graphs without cycles: each step depends on some of those before it. Their order is then shuffled. */
const graphs = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { minLength: 1, maxLength: 30 })
  .map((edges) =>
    edges.map((before, index) =>
      toolStep(`s${index}`, { dependsOn: index === 0 ? [] : before.map((number) => `s${number % index}`) }),
    ),
  )
  .chain((steps) => fc.shuffledSubarray(steps, { minLength: steps.length }))

describe('runDag', () => {
  it('runs every step once, after what it depends on, and never too many at a time', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 5 }), async (steps, parallel) => {
        const ended = new Set<string>()
        const started: string[] = []
        let running = 0

        await Effect.runPromise(
          runDag(steps, {
            parallel,
            isDone: () => false,
            runStep: (step: WorkflowStep) =>
              Effect.gen(function* () {
                expect((step.dependsOn ?? []).every((id) => ended.has(id))).toBe(true)
                started.push(step.id)
                expect(++running).toBeLessThanOrEqual(parallel)
                yield* Effect.yieldNow
                running--
                ended.add(step.id)
                return true
              }),
          }),
        )

        expect([...started].sort()).toEqual(steps.map(({ id }) => id).sort())
      }),
      { numRuns: 200 },
    )
  })

  it('runs what is left when some steps are done already', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, fc.nat(), async (steps, seed) => {
        const done = new Set(steps.filter((_, index) => ((seed >> (index % 30)) & 1) === 1).map(({ id }) => id))
        const started: string[] = []

        await Effect.runPromise(
          runDag(steps, {
            parallel: 10,
            isDone: (id) => done.has(id),
            runStep: (step) => Effect.sync(() => started.push(step.id) > 0),
          }),
        )

        expect([...started, ...done].sort()).toEqual(steps.map(({ id }) => id).sort())
      }),
      { numRuns: 200 },
    )
  })
})
