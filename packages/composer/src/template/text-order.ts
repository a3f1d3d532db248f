/** Less than, equal to or greater than zero, by UTF-8 bytes: surrogates rank above all other units. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rankOfUnit(a) - rankOfUnit(b)
  }
  return left.length - right.length
}

function rankOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
