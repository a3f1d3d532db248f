import type { Terminal } from '../terminal.js'

/** Keeps questions and progress from talking at the same time. */
export interface Turns {
  /** Writes a line of progress; while a question is open, after it. */
  tell(line: string): void
  /** Runs a task that talks with the user, after those before it. */
  talk<Answer>(task: () => Promise<Answer>): Promise<Answer>
}

/** The turns at one terminal. */
export function takeTurns(terminal: Pick<Terminal, 'error'>): Turns {
  const held: string[] = []
  let talking = 0
  let last: Promise<unknown> = Promise.resolve()
  const end = () => {
    talking -= 1
    if (talking === 0) for (const line of held.splice(0)) terminal.error(line)
  }
  return {
    tell(line) {
      if (talking === 0) terminal.error(line)
      else held.push(line)
    },
    talk(task) {
      talking += 1
      const answer = last.then(task).finally(end)
      last = answer.catch(() => {})
      return answer
    },
  }
}
