import { Cancelled } from '@vmcp/domain'
import type { ForEachStep, OnError, Workflow, WorkflowStep } from '@vmcp/domain'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toolStep, workflowOf } from '../../test/run-for-test.js'
import { says } from '../../test/scripted-tools.js'
import { createComposer } from '../composer.js'
import type { StepTools } from '../run-request.js'

const onError = fc.constantFrom<OnError>(
  { action: 'abort' },
  { action: 'continue' },
  { action: 'retry', retryCount: 2, retryDelayMs: 0 },
)

/** Any graph of tool steps and loops. */
const workflows: fc.Arbitrary<Workflow> = fc
  .array(fc.tuple(fc.array(fc.nat(30), { maxLength: 3 }), fc.boolean(), onError), { minLength: 1, maxLength: 12 })
  .map((parts) =>
    workflowOf({
      steps: parts.map(([before, loops, reaction], index): WorkflowStep => {
        const id = `s${index}`
        const dependsOn = index === 0 ? [] : before.map((number) => `s${number % index}`)
        const loop: ForEachStep = {
          id,
          type: 'forEach',
          collection: '[1,2,3]',
          maxParallel: 2,
          onError: reaction,
          step: { tool: id, onError: reaction },
          dependsOn,
        }
        return loops ? loop : toolStep(id, { dependsOn, onError: reaction })
      }),
    }),
  )

/** What the next call does: how many turns it takes, whether it then fails, and whether it minds its signal. */
const behaviours = fc.array(fc.record({ turns: fc.nat(6), fails: fc.boolean(), deaf: fc.boolean() }), { minLength: 1 })

const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a run that is cancelled at any time', () => {
  it('starts nothing afterwards, ends every record, and leaves neither a listener nor an unheard rejection', async () => {
    await fc.assert(
      fc.asyncProperty(
        workflows,
        behaviours,
        fc.nat(15),
        fc.constantFrom('caller', 'id', 'close', 'nobody'),
        async (workflow, script, abortAfter, who) => {
          const signals: AbortSignal[] = []
          let calls = 0
          let ended = false
          let startedLate = 0
          const tools: StepTools = {
            resolve: (name) => ({ name }),
            async call(_identity, _request, options) {
              if (ended) startedLate++
              if (options?.signal !== undefined) signals.push(options.signal)
              const { turns = 0, fails = false, deaf = false } = script[calls++ % script.length] ?? {}
              for (let count = 0; count < turns; count++) {
                await turn()
                if (!deaf && options?.signal?.aborted === true) throw new Cancelled()
              }
              if (fails) throw new Error('broken')
              return says('ok')
            },
          }
          const composer = createComposer()
          const caller = countedSignal()

          const run = composer.run(null, { workflow, tools }, { signal: caller.signal }).then(
            (outcome) => {
              ended = true
              return outcome
            },
            (error: unknown) => {
              ended = true
              return error
            },
          )
          for (let count = 0; count < abortAfter; count++) await turn()
          const [known] = composer.runs()
          if (who === 'caller') caller.abort()
          if (who === 'id' && known !== undefined) composer.cancel(known.runId)
          if (who === 'close') await composer.close()
          const outcome = await run
          const callsAtEnd = calls
          for (let count = 0; count < 10; count++) await turn()

          expect([calls, startedLate]).toEqual([callsAtEnd, 0])
          expect(caller.listeners()).toBe(0)
          if (outcome instanceof Error) {
            expect(outcome).toBeInstanceOf(Cancelled)
            expect(signals.length === 0 || who !== 'nobody').toBe(true)
          }
          for (const { status, steps } of composer.runs()) {
            expect(['completed', 'failed', 'cancelled']).toContain(status)
            expect(steps.map((step) => step.status)).not.toContain('running')
          }
          expect(composer.runs()).toHaveLength(1)
          expect(unhandled).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  }, 60_000)
})

/** A signal that knows how many listen to it. */
function countedSignal(): { readonly signal: AbortSignal; abort(): void; listeners(): number } {
  const controller = new AbortController()
  const listening = new Set<unknown>()
  const { signal } = controller
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...parameters: Parameters<typeof add>) => {
    listening.add(parameters[1])
    add(...parameters)
  }
  signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
    listening.delete(parameters[1])
    remove(...parameters)
  }
  return {
    signal,
    abort: () => controller.abort(),
    listeners: () => listening.size,
  }
}
