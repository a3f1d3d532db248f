// Sums the reports of every test runner and check into one last line, for `.ci/run`:
//   node tools/count-tests.mjs <exit code of npm test>
// A project that has tests, or a check, without a report counts as one failure: it did not run.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { checks } from './nx/checks.mjs'
import { hasTests } from './nx/contents.mjs'

const exitCode = Number(process.argv[2] ?? 0)
const counts = [...testedProjects().map(countVitest), ...reportingChecks().map(countCheck)]
const passed = sum(counts.map((count) => count.passed))
const failed = sum(counts.map((count) => count.failed))

// Lint, type checks, builds and formatting have no tests to count; their failure must show all the same.
const unseen = exitCode !== 0 && failed === 0 ? 1 : 0
console.log(`${passed} passed, ${failed + unseen} failed`)
process.exitCode = failed + unseen > 0 ? 1 : 0

function testedProjects() {
  const packages = readdirSync('packages').map((name) => `packages/${name}`)
  return [...packages, 'e2e', 'examples'].filter((folder) => existsSync(`${folder}/package.json`) && hasTests(folder))
}

function reportingChecks() {
  return Object.values(checks).flatMap(({ outputs = [] }) =>
    outputs.map((path) => path.replace('{projectRoot}', 'tools')),
  )
}

function countVitest(folder) {
  const report = readReport(`${folder}/.reports/vitest.json`)
  if (report === undefined) return didNotRun(`the tests of ${folder}`)
  const failed = report.numFailedTests
  return { passed: report.numPassedTests, failed: report.success || failed > 0 ? failed : 1 }
}

function countCheck(path) {
  return readReport(path) ?? didNotRun(path)
}

function didNotRun(what) {
  console.error(`${what} did not run`)
  return { passed: 0, failed: 1 }
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
