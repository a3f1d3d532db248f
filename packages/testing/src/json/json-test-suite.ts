import { readFileSync } from 'node:fs'

/** A text of JSONTestSuite. */
export interface JsonTestCase {
  /** As its file is named: `y_` is JSON, `n_` is not, and of `i_` a parser may decide. */
  readonly name: string
  /** Not all of them are UTF-8. */
  readonly bytes: Buffer
}

/** The parsing tests of JSONTestSuite (https://github.com/nst/JSONTestSuite), all 318. */
export function jsonTestSuite(): readonly JsonTestCase[] {
  return readFileSync(new URL('./json-test-suite.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('['))
    .map(readCase)
}

/** A line is a JSON array: the name, and texts with the times each one is repeated, once when there is no number. */
function readCase(line: string): JsonTestCase {
  const [name, ...parts] = JSON.parse(line) as readonly [string, ...(string | number)[]]
  const bytes = parts.map((part, index) => {
    const times = parts[index + 1]
    return typeof part === 'number' ? '' : part.repeat(typeof times === 'number' ? times : 1)
  })
  return { name, bytes: Buffer.from(bytes.join(''), 'latin1') }
}
