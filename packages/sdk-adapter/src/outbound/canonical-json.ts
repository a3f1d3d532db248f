import { isJsonObject } from '@vmcp/domain'

/** Compact JSON with sorted keys: equal values have equal texts, whatever the order their keys came in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isJsonObject(inner) ? sorted(inner) : inner)) ?? 'null'
}

function sorted(object: Readonly<Record<string, unknown>>): object {
  const copy = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(object).sort()) copy[key] = object[key]
  return copy
}
