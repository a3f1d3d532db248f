import type { Explanation } from '@vmcp/domain'

/** An explanation as lines of text: the verdict, and one line for each step. */
export function explanationText({ kind, name, listed, reachable, steps }: Omit<Explanation, 'text'>): string {
  const use = kind === 'tool' ? 'be called' : kind === 'resource' ? 'be read' : 'be got'
  const verdict = `${kind} "${name}" is ${listed ? '' : 'not '}listed, and can${reachable ? '' : 'not'} ${use}`
  const lines = steps.map(
    ({ check, passed, message }) => `  ${passed ? 'ok    ' : 'FAILED'} ${check.padEnd(10)} ${message}`,
  )
  return [verdict, ...lines].join('\n')
}
