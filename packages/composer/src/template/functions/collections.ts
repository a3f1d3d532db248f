import type { Work } from '../limits.js'
import { elementOf, integer, isMap, missing, own, typeOf } from '../operand.js'
import type { Operand } from '../operand.js'
import { TemplateFault } from '../template-errors.js'

/** `len`: the elements of a list, the keys of a map, the bytes of a text. */
export function lengthOf(operand: Operand, work: Work): Operand {
  const { value } = operand
  if (typeof value === 'string') return integer(utf8(value).length)
  if (Array.isArray(value)) return integer(value.length)
  if (isMap(value)) return integer(work.sortedKeys(value).length)
  throw new TemplateFault(`len of type ${typeOf(operand)}`)
}

/** `index x 1 "a"`: what `x[1]["a"]` holds. A missing key of a map is a missing value; a place past a list is an error. */
export function elementAt([collection, ...keys]: readonly Operand[]): Operand {
  return keys.reduce(stepInto, collection ?? missing)
}

/** `slice x 1 2`: a part of a list, or of a text by bytes. */
export function sliceOf([item, ...indexes]: readonly Operand[], work: Work): Operand {
  const { value, origin } = item ?? missing
  if (indexes.length > 3) throw new TemplateFault(`too many slice indexes: ${indexes.length}`)
  if (typeof value === 'string') {
    if (indexes.length === 3) throw new TemplateFault('cannot 3-index slice a string')
    const bytes = utf8(value)
    const [start, end] = boundsOf(indexes, bytes.length)
    return own(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)))
  }
  if (!Array.isArray(value)) throw new TemplateFault(`can't slice item of type ${typeOf(item ?? missing)}`)
  const [start, end] = boundsOf(indexes, value.length)
  work.spend(Math.floor((end - start) / 16))
  return { value: value.slice(start, end), origin }
}

function stepInto(container: Operand, key: Operand): Operand {
  const { value } = container
  if (value === undefined || value === null) throw new TemplateFault('index of untyped nil')
  if (typeof value === 'string') {
    const bytes = utf8(value)
    return integer(bytes[placeOf(key, bytes.length - 1)] ?? 0)
  }
  if (Array.isArray(value)) return elementOf(container, placeOf(key, value.length - 1))
  if (!isMap(value)) throw new TemplateFault(`can't index item of type ${typeOf(container)}`)
  if (typeof key.value !== 'string') throw new TemplateFault(`a map is indexed by a string, not by ${typeOf(key)}`)
  return elementOf(container, key.value)
}

function boundsOf(indexes: readonly Operand[], length: number): readonly [number, number] {
  const places = indexes.map((index) => placeOf(index, length))
  const [start = 0, end = length, capacity = length] = places
  if (start > end) throw new TemplateFault(`invalid slice index: ${start} > ${end}`)
  if (end > capacity) throw new TemplateFault(`invalid slice index: ${end} > ${capacity}`)
  return [start, end]
}

/** Any whole number serves, also one out of JSON, which Go refuses. */
function placeOf(index: Operand, last: number): number {
  const { value } = index
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new TemplateFault(`cannot index slice/array with type ${typeOf(index)}`)
  }
  if (value < 0 || value > last) throw new TemplateFault(`index out of range: ${value}`)
  return value
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
