import { isJsonObject } from '@vmcp/domain'

/** Compact JSON with sorted keys: equal values have equal texts. What JSON has no word for is `null`. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)) ?? 'null'
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  const sorted: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key])
  return sorted
}
