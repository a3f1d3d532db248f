import type { Explanation } from '@vmcp/domain'

/** What an explanation's text is made of. */
export interface ExplanationFacts extends Omit<Explanation, 'text'> {
  /** True when only a call without arguments is known to be denied. */
  readonly argumentsMayHelp: boolean
}

/** An explanation as lines of text: the verdict, and one line for each step. */
export function explanationText({ kind, name, listed, reachable, steps, argumentsMayHelp }: ExplanationFacts): string {
  const use = kind === 'tool' ? 'be called' : kind === 'resource' ? 'be read' : 'be got'
  const limit = !reachable && argumentsMayHelp ? ' without arguments' : ''
  const verdict = `${kind} "${name}" is ${listed ? '' : 'not '}listed, and can${reachable ? '' : 'not'} ${use}${limit}`
  const lines = steps.map(
    ({ check, passed, message }) => `  ${passed ? 'ok    ' : 'FAILED'} ${check.padEnd(10)} ${message}`,
  )
  return [verdict, ...lines].join('\n')
}
