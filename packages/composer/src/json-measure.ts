/** The size of a value as JSON, in bytes of UTF-8; undefined for what JSON cannot hold, such as a cycle. */
export function jsonBytes(value: unknown): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '')
  } catch {
    return undefined
  }
}

/** True when a value has more levels than allowed. The value itself is level 0, and each map or array adds one. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (levels < 0) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
