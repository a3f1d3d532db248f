import { readdirSync } from 'node:fs'

const skipped = /^(node_modules|dist|\..*)$/

/** True when a project has test files: one without them gets no test target, so that vitest may insist on finding some. */
export function hasTests(folder) {
  return hasFile(folder, /\.test\.ts$/)
}

/** True when a project has TypeScript files. */
export function hasTypeScript(folder) {
  return hasFile(folder, /\.ts$/)
}

function hasFile(folder, pattern) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory()) return !skipped.test(entry.name) && hasFile(`${folder}/${entry.name}`, pattern)
    return pattern.test(entry.name)
  })
}
