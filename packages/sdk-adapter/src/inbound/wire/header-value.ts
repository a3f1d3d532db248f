const prefix = '=?base64?'
const suffix = '?='
const canonicalBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The text that an `Mcp-Name` or `Mcp-Param-*` header stands for: as it is, or Base64 of UTF-8 in `=?base64?…?=`
 * (2026-07-28, "Streamable HTTP"). `undefined` when the Base64 is not valid.
 */
export function decodeHeaderValue(value: string): string | undefined {
  const trimmed = value.trim()
  if (!trimmed.startsWith(prefix) || !trimmed.endsWith(suffix)) return trimmed
  const payload = trimmed.slice(prefix.length, -suffix.length)
  if (!canonicalBase64.test(payload)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64'))
  } catch {
    return undefined
  }
}
