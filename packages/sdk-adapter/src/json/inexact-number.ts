/** A number as it stands in a JSON text. */
export interface NumberToken {
  readonly token: string
  /** Where it begins. */
  readonly index: number
}

/** A run of digits or an exponent that may be too much for a number of JavaScript: most texts have neither. */
const suspect = /\d{16}|\d[eE]\+?\d{3}/
/** The same, for the texts that have one: a run after a point does not count. */
const closeSuspect = /(?<![.\d])\d{16}|\d[eE]\+?\d{3}/
const numberToken = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y

/**
 * The numbers of a JSON text that would not be the same once parsed: integers beyond 2^53 that change, and numbers beyond
 * all. What JavaScript writes is what it reads, and digits after a point are rounded everywhere and count as the same.
 */
export function* inexactNumbers(json: string): Generator<NumberToken, void, undefined> {
  if (!mayHoldInexact(json)) return
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === quote) index = endOfText(json, index)
    else if (code === minus || (code >= zero && code <= nine)) {
      numberToken.lastIndex = index
      const [token, fraction, exponent] = numberToken.exec(json) ?? ['']
      if (!isExact(token, fraction === undefined && exponent === undefined)) yield { token, index }
      index += Math.max(0, token.length - 1)
    }
  }
}

/** False for a text that has none of the `inexactNumbers`: a quick look that most texts pass. */
export function mayHoldInexact(json: string): boolean {
  return suspect.test(json) && closeSuspect.test(json)
}

/** The first of the `inexactNumbers`, if there is one. */
export function findInexactNumber(json: string): string | undefined {
  for (const { token } of inexactNumbers(json)) return token
  return undefined
}

const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
const zero = 0x30
const nine = 0x39
/** No integer of fewer characters is beyond 2^53. */
const safeLength = 15
/** An integer of more digits is beyond all numbers. */
const maxDigits = 310

/** The index of the quote that ends the text that begins at `start`. */
function endOfText(json: string, start: number): number {
  let index = start + 1
  while (index < json.length && json.charCodeAt(index) !== quote) {
    index += json.charCodeAt(index) === backslash ? 2 : 1
  }
  return index
}

function isExact(token: string, isInteger: boolean): boolean {
  const value = Number(token)
  if (!Number.isFinite(value)) return token.length <= 1
  if (!isInteger || token.length <= safeLength || Number.isSafeInteger(value)) return true
  return String(value) === token || (token.length < maxDigits && BigInt(token) === BigInt(value))
}
