import { isSdk } from './law.mjs'

/** The chains by which an installed `folder` would bring in the MCP SDK, read from the lockfile's packages. */
export function transitiveProblems(folder, locked) {
  const problems = []
  const seen = new Set()
  const queue = [{ place: folder, chain: [folder] }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next.place)) continue
    seen.add(next.place)
    for (const name of wanted(locked[next.place])) {
      const chain = [...next.chain, name]
      if (isSdk(name)) problems.push(`${folder}: reaches ${name} through ${chain.join(' > ')}`)
      const place = resolve(next.place, name, locked)
      if (place !== undefined) queue.push({ place, chain })
    }
  }
  return problems
}

function wanted(entry = {}) {
  return Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies })
}

/** Node's own walk: the nearest node_modules on the way up that holds `name`. */
function resolve(place, name, locked) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = locked[candidate]
    if (entry !== undefined) return entry.link ? entry.resolved : candidate
    if (folder === '') return undefined
  }
}
