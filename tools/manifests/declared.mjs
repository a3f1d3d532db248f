import { isSdk, law, mayDependOn } from './law.mjs'

const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/

/** What is wrong with one package.json: its names, and each dependency of every kind against the law. */
export function manifestProblems(folder, manifest) {
  if (law[folder] === undefined) return [`${folder}: no entry in tools/manifests/law.mjs`]
  const expectedName = `@vmcp/${folder.split('/').at(-1)}`
  return [
    ...(manifest.name === expectedName ? [] : [`${folder}: its name must be ${expectedName}`]),
    ...(manifest.type === 'module' ? [] : [`${folder}: its type must be "module"`]),
    ...((manifest.bundleDependencies ?? manifest.bundledDependencies) ? [`${folder}: bundles dependencies`] : []),
    ...dependencies(manifest).flatMap(([kind, name, version]) => [
      ...(mayDependOn(folder, kind, name) ? [] : [`${folder}: ${kind} may not name ${name}`]),
      ...(exactVersion.test(version) ? [] : [`${folder}: ${name} must be an exact version, not "${version}"`]),
    ]),
  ]
}

/** What is wrong with the root manifest: what it names, every package can import. */
export function rootProblems(manifest) {
  return dependencies(manifest).flatMap(([kind, name, version]) => [
    ...(isSdk(name) ? [`package.json: ${kind} may not name ${name}, every package could import it`] : []),
    ...(exactVersion.test(version) ? [] : [`package.json: ${name} must be an exact version, not "${version}"`]),
  ])
}

function dependencies(manifest) {
  return kinds.flatMap((kind) => Object.entries(manifest[kind] ?? {}).map(([name, version]) => [kind, name, version]))
}
