// Lets the conformance suite start on Node 20. It imports `globSync` from 'fs', which Node 22 brought, for a command
// that is never called here; this loader hands it a stand-in that has the name.
import * as fs from 'node:fs'

const names = Object.keys(fs).filter((name) => name !== 'default')
const standIn = `
import fs from 'node:fs'
export default fs
export const { ${names.join(', ')} } = fs
export function globSync() {
  throw new Error('globSync needs Node 22')
}`

export async function resolve(specifier, context, next) {
  if (specifier !== 'fs' || !context.parentURL?.includes('/conformance/dist/')) return next(specifier, context)
  return { url: `data:text/javascript,${encodeURIComponent(standIn)}`, shortCircuit: true }
}
