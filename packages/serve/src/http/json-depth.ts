const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** True when a JSON text nests deeper than `limit`. It looks at bytes only, so that a hostile text is never parsed. */
export function nestsDeeperThan(json: Uint8Array, limit: number): boolean {
  let depth = 0
  let inText = false
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]
    if (inText) {
      if (byte === backslash) index += 1
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > limit) return true
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
  }
  return false
}
