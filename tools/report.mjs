import { mkdirSync, writeFileSync } from 'node:fs'

/**
 * Ends a check: prints each problem and one line of counts, and leaves tools/.reports/<name>.json for `.ci/run`.
 * `results` are [claim, problems]; a claim holds when it has no problems.
 */
export function report(name, results) {
  const broken = results.filter(([, problems]) => problems.length > 0)
  for (const [claim, problems] of broken) console.error([`${name}: ${claim}`, ...problems].join('\n  '))
  const counts = { passed: results.length - broken.length, failed: broken.length }
  mkdirSync('tools/.reports', { recursive: true })
  writeFileSync(`tools/.reports/${name}.json`, JSON.stringify(counts))
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed`)
  process.exitCode = counts.failed > 0 ? 1 : 0
}
