/** Levels of nesting at most. */
const maxDepth = 128
/** UTF-16 code units of JSON text at most. */
const maxLength = 1_048_576

/** The schema as JSON text, or what is wrong with its size or depth. It never recurses deeper than the limit. */
export function boundedJson(value: unknown): { readonly text: string } | { readonly problem: string } {
  if (!isWithinDepth(value, maxDepth)) return { problem: `is nested deeper than ${String(maxDepth)} levels` }
  const text = JSON.stringify(value)
  return text.length > maxLength ? { problem: `is longer than ${String(maxLength)} characters` } : { text }
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!isWithinDepth(item, levels - 1)) return false
    return true
  }
  for (const key in value) if (!isWithinDepth((value as Record<string, unknown>)[key], levels - 1)) return false
  return true
}
