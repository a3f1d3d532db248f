import { createHash } from 'node:crypto'

const legal = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
const hashLength = 10
/** Characters of a name that are looked at for what is legible of it: backends may send any length. */
const longestLegible = 1024

/** Where a name comes from: what its hash is made of, so that it is the same on every replica and after every restart. */
export interface NameSource {
  readonly backendId: string
  readonly ownName: string
}

/** True when clients accept the name as it is. */
export function isLegalName(name: string, maxLength: number): boolean {
  return name.length <= maxLength && legal.test(name)
}

/**
 * `name` itself when it is legal; otherwise what is legible of it in ASCII, followed by a hash of its source.
 * It depends on nothing but its arguments.
 */
export function legalName(name: string, source: NameSource, maxLength: number): string {
  if (isLegalName(name, maxLength)) return name
  const hash = hashOf(source)
  const room = maxLength - hash.length - 1
  const legible = asciiOf(name).slice(0, Math.max(0, room))
  return legible === '' ? hash.slice(0, maxLength) : `${legible}_${hash}`
}

function asciiOf(name: string): string {
  return name
    .slice(0, longestLegible)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/gu, '_')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/gu, '')
}

function hashOf({ backendId, ownName }: NameSource): string {
  return createHash('sha256')
    .update(JSON.stringify([backendId, ownName]))
    .digest('hex')
    .slice(0, hashLength)
}
