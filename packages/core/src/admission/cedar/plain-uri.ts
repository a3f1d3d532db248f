const separator = /(?=\/|\\|%2f|%5c)/i
const leadingSeparator = /^(?:\/|\\|%2f|%5c)/i
const parts = /^((?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/\\?#]*)?)([^?#]*)(.*)$/is

/**
 * What a server may take a URI for: characters that need no encoding are decoded (RFC 3986, 6.2.2.2), and the segments
 * `.` and `..` are resolved (5.2.4), with an encoded slash or a backslash taken for a slash then. A URI without any of these is itself.
 */
export function plainUri(uri: string): string {
  const decoded = uri.replace(/%[0-9a-f]{2}/gi, decodeUnreserved)
  const [, start = '', path = '', end = ''] = parts.exec(decoded) ?? []
  const segments = path.split(separator)
  if (!segments.some(isDots)) return decoded
  const kept: string[] = []
  for (const segment of segments) {
    if (!isDots(segment)) kept.push(segment.replace(leadingSeparator, '/'))
    else if (segment.endsWith('..')) kept.pop()
  }
  return start + kept.join('') + (isDots(segments.at(-1) ?? '') ? '/' : '') + end
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return /[A-Za-z0-9._~-]/.test(character) ? character : encoded
}

function isDots(segment: string): boolean {
  const name = segment.replace(leadingSeparator, '')
  return name === '.' || name === '..'
}
