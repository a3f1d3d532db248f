import type { ConfigProblem, WorkflowStep } from '@vmcp/domain'

/** What is wrong between steps: equal ids, dependencies on nothing, cycles. */
export function checkDependencies(steps: readonly WorkflowStep[]): readonly ConfigProblem[] {
  return [...checkIds(steps), ...checkReferences(steps), ...checkCycles(steps)]
}

function* checkIds(steps: readonly WorkflowStep[]): Iterable<ConfigProblem> {
  const seen = new Set<string>()
  for (const [index, { id }] of steps.entries()) {
    if (seen.has(id)) yield { path: `steps[${index}].id`, message: `duplicate step ID: ${id}` }
    if (id) seen.add(id)
  }
}

function* checkReferences(steps: readonly WorkflowStep[]): Iterable<ConfigProblem> {
  const ids = new Set(steps.map(({ id }) => id))
  for (const [index, step] of steps.entries()) {
    for (const dependency of step.dependsOn ?? []) {
      if (ids.has(dependency)) continue
      const message = `step ${step.id} depends on non-existent step ${dependency}`
      yield { path: `steps[${index}].dependsOn`, message }
    }
  }
}

/** One problem for all steps that are in a cycle or behind one, told at the first. */
function* checkCycles(steps: readonly WorkflowStep[]): Iterable<ConfigProblem> {
  const waiting = new Map(steps.map((step) => [step.id, step]))
  let removed = true
  while (removed) {
    removed = false
    for (const [id, step] of waiting) {
      if ((step.dependsOn ?? []).some((dependency) => waiting.has(dependency))) continue
      waiting.delete(id)
      removed = true
    }
  }
  const inCycle = [...waiting.values()].find((step) => reachesItself(step.id, waiting))
  if (inCycle !== undefined) {
    yield { path: 'steps', message: `circular dependency detected involving step ${inCycle.id}` }
  }
}

function reachesItself(id: string, steps: ReadonlyMap<string, WorkflowStep>): boolean {
  const seen = new Set<string>()
  const open = [...(steps.get(id)?.dependsOn ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(steps.get(next)?.dependsOn ?? []))
  }
  return false
}
