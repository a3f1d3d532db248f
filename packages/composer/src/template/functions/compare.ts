import type { Operand } from '../operand.js'
import { TemplateFault } from '../template-errors.js'
import { compareText } from '../text-order.js'

/** True when the first value equals one of the others. A missing value equals only a missing one. */
export function equals([first, ...others]: readonly Operand[]): boolean {
  return first !== undefined && others.some((other) => equalsOne(first, other))
}

/** True when left comes before right. Only numbers and texts have an order. */
export function isLess(left: Operand, right: Operand): boolean {
  for (const kind of [kindOf(left), kindOf(right)]) {
    if (kind === 'missing' || kind === 'composite') throw new TemplateFault('invalid type for comparison')
  }
  expectComparable(left, right)
  if (typeof left.value === 'number') return left.value < Number(right.value)
  if (typeof left.value === 'string') return compareText(left.value, String(right.value)) < 0
  throw new TemplateFault('invalid type for comparison')
}

type Kind = 'missing' | 'boolean' | 'string' | 'integer' | 'float' | 'number' | 'composite'

function equalsOne(left: Operand, right: Operand): boolean {
  const kinds = [kindOf(left), kindOf(right)]
  if (kinds.includes('missing')) return kinds[0] === kinds[1]
  expectComparable(left, right)
  if (kinds[0] === 'composite') throw new TemplateFault('non-comparable types: lists and maps')
  return left.value === right.value
}

function expectComparable(left: Operand, right: Operand): void {
  const kinds = [kindOf(left), kindOf(right)]
  const [first, second] = kinds
  if (first === second) return
  const numeric = kinds.every((kind) => kind === 'integer' || kind === 'float' || kind === 'number')
  if (numeric && kinds.includes('number')) return
  throw new TemplateFault(`incompatible types for comparison: ${first} and ${second}`)
}

/** `number` is one that may be an integer or a float (see `Origin`). */
function kindOf({ value, origin }: Operand): Kind {
  if (value === undefined || value === null) return 'missing'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return 'string'
  if (typeof value !== 'number') return 'composite'
  if (origin === 'integer') return 'integer'
  return origin === 'own' ? 'number' : 'float'
}
