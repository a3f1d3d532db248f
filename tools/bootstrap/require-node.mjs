import { say } from './say.mjs'

/** Ends the process with one clear line when this Node is older than `version`. */
export function requireNode(version) {
  if (compare(process.versions.node, version) >= 0) return
  say(`Node ${version} or newer is needed; this is ${process.version}`)
  process.exit(1)
}

function compare(left, right) {
  const parts = (version) => version.split('.').map(Number)
  const difference = parts(left).map((part, index) => part - parts(right)[index])
  return difference.find((part) => part !== 0) ?? 0
}
