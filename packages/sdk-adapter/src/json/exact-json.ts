import { randomUUID } from 'node:crypto'
import { inexactNumbers, mayHoldInexact } from './inexact-number.js'

/**
 * The numbers of an object or array as they stood in its JSON text, by key, where JavaScript has no such number. Objects and
 * arrays around one have an empty map. A copy by spread keeps it; nobody else sees it.
 */
const written: unique symbol = Symbol('numbers as written')

interface Marked {
  [written]?: Map<string, string>
}

/** Stands for a number in a text of ours; nobody else can know it. */
const placeholder = `number:${randomUUID()}:`
const placeholders = new RegExp(`"${placeholder}([^"]*)"`, 'g')

/**
 * Parses JSON as `JSON.parse` does, and remembers the text of each number that JavaScript would change. The values are plain
 * JavaScript numbers for all who read them; `stringifyExact` writes what came.
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!mayHoldInexact(text)) return value
  const numbers = [...inexactNumbers(text)]
  if (numbers.length === 0) return value
  let marked = ''
  let end = 0
  for (const { token, index } of numbers) {
    marked += `${text.slice(end, index)}"${placeholder}${token}"`
    end = index + token.length
  }
  return JSON.parse(marked + text.slice(end), restoreNumber)
}

/** Writes JSON as `JSON.stringify` does, with the numbers of `parseExact` as they came, unless they were replaced since. */
export function stringifyExact(value: unknown): string {
  if (!isMarked(value)) return JSON.stringify(value)
  return JSON.stringify(value, holdNumber).replace(placeholders, '$1')
}

/** Writes a message of ours, whose parts may be of `parseExact`, as `stringifyExact` does. */
export function stringifyMessage(message: object): string {
  return stringifyExact(holdsMarked(message, messageDepth) ? { ...message, [written]: new Map() } : message)
}

/** How deep in a message the parts are that are not ours: `error.data`, and `params` with their members. */
const messageDepth = 3

function restoreNumber(this: Marked, key: string, value: unknown): unknown {
  if (isMarked(value)) this[written] ??= new Map()
  if (typeof value !== 'string' || !value.startsWith(placeholder)) return value
  const token = value.slice(placeholder.length)
  this[written] ??= new Map()
  this[written].set(key, token)
  return Number(token)
}

function holdNumber(this: Marked, key: string, value: unknown): unknown {
  const token = this[written]?.get(key)
  return token !== undefined && Object.is(Number(token), value) ? placeholder + token : value
}

function isMarked(value: unknown): boolean {
  return typeof value === 'object' && value !== null && written in value
}

function holdsMarked(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isMarked(value)) return true
  return depth > 0 && Object.values(value).some((inner) => holdsMarked(inner, depth - 1))
}
