/** Decodes a double-quoted Go string, quotes included. Undefined when it is not one. */
export function unquote(quoted: string): string | undefined {
  const body = quoted.slice(1, -1)
  if (!/^(?:[^\\\n"]|\\(?:[abfnrtv\\"]|x[0-9a-fA-F]{2}|[0-3][0-7]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*$/.test(body)) {
    return undefined
  }
  return decodeEscapes(body)
}

/** The code point that a Go character constant stands for, quotes included. Undefined when it is not one. */
export function codePointOf(quoted: string): number | undefined {
  const body = quoted.slice(1, -1)
  if (!/^(?:[^\\\n']|\\(?:[abfnrtv\\']|x[0-9a-fA-F]{2}|[0-3][0-7]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))$/u.test(body)) {
    return undefined
  }
  if (/^\\(?:x|\d)/.test(body)) return byteOf(body)
  return decodeEscapes(body)?.codePointAt(0)
}

/** The number that a Go numeric constant stands for. Undefined when it is none, or not exact. */
export function numberOf(text: string): { readonly value: number; readonly integer: boolean } | undefined {
  const negative = text.startsWith('-')
  const digits = text.replace(/^[+-]/, '').replaceAll('_', '')
  if (/^0\d+$/.test(digits) && /[89]/.test(digits)) return undefined
  const octal = /^0\d+$/.test(digits)
  const size = Number(octal ? `0o${digits}` : digits)
  const value = negative && size !== 0 ? -size : size
  const integer = /^0[xob]/i.test(digits) || !/[.e]/i.test(digits)
  if (digits === '' || !Number.isFinite(value) || (integer && !Number.isSafeInteger(value))) return undefined
  return { value, integer }
}

const SINGLE = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

/** Bytes written by number are gathered first: together they may be one character of UTF-8. */
function decodeEscapes(body: string): string | undefined {
  if (!body.includes('\\')) return body
  let valid = true
  const decoded = body.replace(/(?:\\x..|\\[0-7]{3})+|\\u(....)|\\U(.{8})|\\(.)/g, (escape, short, long, single) => {
    if (typeof single === 'string') return SINGLE.get(single) ?? single
    const hex: unknown = short ?? long
    if (typeof hex !== 'string') return bytesToText(escape)
    const codePoint = parseInt(hex, 16)
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) {
      valid = false
      return ''
    }
    return String.fromCodePoint(codePoint)
  })
  return valid ? decoded : undefined
}

function bytesToText(escapes: string): string {
  return new TextDecoder().decode(Uint8Array.from(escapes.match(/\\x..|\\.../g) ?? [], byteOf))
}

function byteOf(escape: string): number {
  return escape[1] === 'x' ? parseInt(escape.slice(2), 16) : parseInt(escape.slice(1), 8)
}
