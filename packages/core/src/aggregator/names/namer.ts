import type { NamePolicy } from '../../core-config.js'
import { legalName } from './legal-name.js'
import type { NameSource } from './legal-name.js'

/** A name, and whether the policy had to change it. */
export interface GivenName {
  readonly advertisedAs: string
  readonly repaired: boolean
}

/** Gives names that clients accept. Legal names are left as they are. */
export interface Namer {
  /** Without a prefix. */
  bare(source: NameSource, name: string): GivenName
  /** With the prefix of its backend. */
  prefixed(source: NameSource, name: string): GivenName
  /** What stands for the backend in a prefix. */
  workload(backendId: string): GivenName
}

/** `{workload}_`, when the configuration has no other format. */
const defaultPrefixFormat = '{workload}_'

/** A namer for this policy and prefix format, in which `{workload}` stands for the backend. */
export function createNamer(policy: NamePolicy = {}, prefixFormat: string = defaultPrefixFormat): Namer {
  const maxLength = Math.max(1, (policy.maxLength ?? 64) - (policy.reservedLength ?? 0))
  const format = prefixFormat === '' ? defaultPrefixFormat : prefixFormat
  const workloads = new Map<string, GivenName>()

  const workload = (backendId: string): GivenName => {
    const known = workloads.get(backendId)
    if (known !== undefined) return known
    // The length of a prefix alone is no fault: the name as a whole is measured.
    const advertisedAs = legalName(backendId, { backendId, ownName: '' }, Math.max(maxLength, backendId.length))
    const given = { advertisedAs, repaired: advertisedAs !== backendId }
    workloads.set(backendId, given)
    return given
  }
  const give = (source: NameSource, wanted: string, changed: boolean): GivenName => {
    const advertisedAs = legalName(wanted, source, maxLength)
    return { advertisedAs, repaired: changed || advertisedAs !== wanted }
  }
  return {
    workload,
    bare: (source, name) => give(source, name, false),
    prefixed: (source, name) => {
      const prefix = workload(source.backendId)
      return give(source, format.replaceAll('{workload}', () => prefix.advertisedAs) + name, prefix.repaired)
    },
  }
}
