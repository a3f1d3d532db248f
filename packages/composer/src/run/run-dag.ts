import type { WorkflowStep } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import * as Semaphore from 'effect/Semaphore'

/** How a graph of steps is run. */
export interface DagOptions<Error> {
  /** Steps at one time. */
  readonly parallel: number
  /** True for a step that ended in an earlier part of the run. */
  isDone(stepId: string): boolean
  /** Runs one step. Steps that depend on it start when it gives `true`. */
  runStep(step: WorkflowStep): Effect.Effect<boolean, Error>
}

/**
 * Runs each step as soon as the steps it depends on have ended; those ready at the same time start in the order of the
 * definition. The first failure interrupts every running step, waits for them and ends the whole.
 */
export function runDag<Error>(steps: readonly WorkflowStep[], options: DagOptions<Error>): Effect.Effect<void, Error> {
  const graph = unfinishedGraph(steps, options)
  const slots = Semaphore.makeUnsafe(options.parallel)

  function launch(step: WorkflowStep): Effect.Effect<void, Error> {
    return Effect.flatMap(slots.withPermits(1)(options.runStep(step)), (ended) =>
      ended ? launchAll(graph.end(step.id)) : Effect.void,
    )
  }

  function launchAll(ready: readonly WorkflowStep[]): Effect.Effect<void, Error> {
    const [first] = ready
    if (first === undefined) return Effect.void
    if (ready.length === 1) return launch(first)
    return Effect.forEach(ready, launch, { concurrency: 'unbounded', discard: true })
  }

  return Effect.suspend(() => launchAll(graph.ready))
}

interface UnfinishedGraph {
  /** The steps that wait for nothing. */
  readonly ready: readonly WorkflowStep[]
  /** Notes that a step has ended and gives those that now wait for nothing. */
  end(stepId: string): readonly WorkflowStep[]
}

function unfinishedGraph(
  steps: readonly WorkflowStep[],
  options: { isDone(stepId: string): boolean },
): UnfinishedGraph {
  const missing = new Map<string, number>()
  const dependents = new Map<string, WorkflowStep[]>()
  const ready: WorkflowStep[] = []
  for (const step of steps) {
    if (options.isDone(step.id)) continue
    const open = [...new Set(step.dependsOn ?? [])].filter((id) => !options.isDone(id))
    if (open.length === 0) ready.push(step)
    missing.set(step.id, open.length)
    for (const id of open) dependents.set(id, [...(dependents.get(id) ?? []), step])
  }
  return {
    ready,
    end(stepId) {
      return (dependents.get(stepId) ?? []).filter((step) => {
        const left = (missing.get(step.id) ?? 0) - 1
        missing.set(step.id, left)
        return left === 0
      })
    },
  }
}
