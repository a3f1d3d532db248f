import type { CallOptions, ElicitationRequester, JsonObject, ToolStep, Workflow, WorkflowObserver } from '@vmcp/domain'
import { silentLogger } from '@vmcp/domain'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Random from 'effect/Random'
import * as TestClock from 'effect/testing/TestClock'
import { createComposer } from '../src/composer.js'
import type { ComposerConfig } from '../src/composer.js'
import type { StepTools } from '../src/run-request.js'
import { chooseAsking } from '../src/run/execution.js'
import { createProgress } from '../src/run/progress.js'
import { RunState } from '../src/run/run-state.js'
import { runWorkflow } from '../src/run/run-workflow.js'
import type { WorkflowRun } from '../src/workflow-run.js'

/** A workflow of which a test says what matters. */
export function workflowOf(parts: Partial<Workflow> & Pick<Workflow, 'steps'>): Workflow {
  return { name: 'wf', description: 'A workflow', ...parts }
}

/** A step that calls the tool of its own name. */
export function toolStep(id: string, more: Partial<ToolStep> = {}): ToolStep {
  return { id, type: 'tool', tool: id, ...more }
}

/** Runs a workflow at the public door, without a caller. It must end. */
export async function runToEnd(
  workflow: Workflow,
  tools: StepTools,
  more: {
    readonly arguments?: JsonObject
    readonly config?: ComposerConfig
    readonly options?: CallOptions
  } = {},
): Promise<WorkflowRun> {
  const request = { workflow, tools, ...(more.arguments !== undefined && { arguments: more.arguments }) }
  const outcome = await createComposer(more.config).run(null, request, more.options)
  if ('resultType' in outcome) throw new Error('the run asks for input')
  return outcome
}

/** Runs a workflow on a clock of its own, with waits that are not spread. `advance` says how much time passes meanwhile. */
export function runOnTestClock(
  workflow: Workflow,
  tools: StepTools,
  more: {
    readonly advance: readonly number[]
    readonly elicitation?: ElicitationRequester
    /** What an earlier part of the run took, in milliseconds. */
    readonly workedMs?: number
    readonly observer?: WorkflowObserver
  },
): Promise<WorkflowRun> {
  const program = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const now = (): number => clock.currentTimeMillisUnsafe()
    const fiber = yield* Effect.forkChild(
      runWorkflow(
        {
          workflow,
          identity: null,
          tools,
          params: {},
          state: new RunState('run-1', now()),
          callOptions: {},
          asking: chooseAsking(undefined, more.elicitation, { responses: {}, asked: new Set() }),
          progress: createProgress(undefined, workflow.steps.length),
          observer: more.observer ?? { observe() {} },
          logger: silentLogger,
          now,
        },
        more.workedMs,
      ),
    )
    for (const milliseconds of more.advance) {
      yield* settle
      yield* TestClock.adjust(milliseconds)
    }
    return yield* Fiber.join(fiber)
  })
  const unspread = Effect.provideService(program, Random.Random, {
    nextIntUnsafe: () => 0,
    nextDoubleUnsafe: () => 0.5,
  })
  return Effect.runPromise(Effect.provide(unspread, TestClock.layer())).then((outcome) => {
    if (outcome.type === 'asks') throw new Error('the run asks for input')
    return outcome.run
  })
}

/** Lets every promise that is ready be heard before time passes. */
const settle = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
