import { LruMap } from '../aggregator/lru-map.js'

/** A parsed RFC 6570 template that tells whether a URI could have been expanded from it. */
export interface UriTemplate {
  /** The text before the first expression: a URI that starts otherwise cannot match. */
  readonly prefix: string
  /** How much work matching is, for each character of the URI. */
  readonly weight: number
  matches(uri: string): boolean
}

const maxUriLength = 8192
const maxTemplateLength = 2048
const parsed = new LruMap<string, { readonly template: UriTemplate | undefined }>(4096)

/**
 * The template, or `undefined` when the text does not follow the grammar of RFC 6570 (levels 1 to 4; `-` is allowed in
 * variable names). Templates come from backends and URIs from clients, so matching never backtracks: it takes time
 * proportional to the length of the URI times that of the template. Values need not be percent-encoded.
 */
export function parseUriTemplate(text: string): UriTemplate | undefined {
  if (text.length > maxTemplateLength) return undefined
  const known = parsed.get(text)
  if (known !== undefined) return known.template
  const parts = parseParts(text)
  const template = parts === undefined ? undefined : templateOf(text, parts)
  parsed.set(text, { template })
  return template
}

/** Where in the URI a match may stand: index `i` is 1 when everything before `uri[i]` is matched. */
type Positions = Uint8Array

/** Takes the positions before a part of the template to those after it. */
type Part = (uri: string, from: Positions) => Positions

const variable = /^(?:[A-Za-z0-9_-]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_-]|%[0-9A-Fa-f]{2}))*(\*|:[1-9][0-9]{0,3})?$/u
const isValueCharacter = without('/?#')
const isPathCharacter = without('?#')
const isParameterCharacter = without('/?#;')
const isPairCharacter = without('#&')
const isQueryCharacter = without('#')
const isAnyCharacter = without('')

function without(characters: string): (code: number) => boolean {
  const refused = new Uint8Array(128)
  for (const character of characters) refused[character.charCodeAt(0)] = 1
  return (code) => refused[code] !== 1
}

function templateOf(text: string, parts: readonly Part[]): UriTemplate {
  const [prefix = ''] = text.split('{', 1)
  const weight = text.split(/[{,]/u).length
  return { prefix, weight, matches: (uri) => matchesParts(uri, parts) }
}

function matchesParts(uri: string, parts: readonly Part[]): boolean {
  if (uri.length > maxUriLength) return false
  let positions: Positions = new Uint8Array(uri.length + 1)
  positions[0] = 1
  for (const part of parts) {
    positions = part(uri, positions)
    if (!positions.includes(1)) return false
  }
  return positions[uri.length] === 1
}

function parseParts(text: string): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const [piece] of text.matchAll(/\{[^{}]*\}|[^{}]+|[{}]/gu)) {
    if (piece === '{' || piece === '}') return undefined
    if (!piece.startsWith('{')) {
      parts.push(literal(piece))
      continue
    }
    const part = parseExpression(piece.slice(1, -1))
    if (part === undefined) return undefined
    parts.push(part)
  }
  return parts
}

function parseExpression(body: string): Part | undefined {
  const operator = /^[+#./;?&]/u.exec(body)?.[0] ?? ''
  const variables = body.slice(operator.length).split(',')
  const modifiers = variables.map((one) => variable.exec(one))
  if (modifiers.some((one) => one === null)) return undefined
  const isExploded = modifiers.some((one) => one?.[1] === '*')
  const names = variables.map((one) => one.replace(/[*:].*$/u, ''))
  switch (operator) {
    case '+':
      return run(isAnyCharacter)
    case '#':
      return optional(sequence([literal('#'), run(isAnyCharacter)]))
    case '.':
    case '/':
      return isExploded
        ? optional(sequence([literal(operator), run(isPathCharacter)]))
        : repeated(sequence([literal(operator), run(isValueCharacter)]), names.length)
    case ';':
      return isExploded ? optional(sequence([literal(';'), run(isValueCharacter)])) : pairs(';', ';', names)
    case '?':
    case '&':
      return isExploded ? optional(sequence([literal(operator), run(isQueryCharacter)])) : pairs(operator, '&', names)
    default:
      return run(isValueCharacter, prefixLength(variables))
  }
}

/** The most characters that `{name:3}` may stand for; an encoded character has three. */
function prefixLength(variables: readonly string[]): number {
  const [only] = variables
  const length = variables.length === 1 ? /:(\d+)$/u.exec(only ?? '')?.[1] : undefined
  return length === undefined ? Infinity : Number(length) * 3
}

function literal(text: string): Part {
  return (uri, from) => {
    const to = new Uint8Array(from.length)
    for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) {
      if (uri.startsWith(text, at)) to[at + text.length] = 1
    }
    return to
  }
}

function run(accepts: (code: number) => boolean, maxLength = Infinity): Part {
  return (uri, from) => {
    const to = Uint8Array.from(from)
    let left = 0
    for (let at = 0; at < uri.length; at++) {
      if (from[at] === 1) left = maxLength
      if (left > 0 && accepts(uri.charCodeAt(at))) {
        to[at + 1] = 1
        left--
      } else left = 0
    }
    return to
  }
}

function sequence(parts: readonly Part[]): Part {
  return (uri, from) => parts.reduce((positions, part) => part(uri, positions), from)
}

function optional(part: Part): Part {
  return repeated(part, 1)
}

/** Up to `times` in a row; it ends at once when another round adds nothing. */
function repeated(part: Part, times: number): Part {
  return (uri, from) => {
    const to = Uint8Array.from(from)
    let latest = from
    for (let round = 0; round < times; round++) {
      latest = part(uri, latest)
      if (!addAll(to, latest)) break
    }
    return to
  }
}

/**
 * Nothing, or `start` and `name=value` pairs in any order, with `separator` between them. Values hold no separator, so
 * every pair starts at one place and is looked at once.
 */
function pairs(start: string, separator: string, names: readonly string[]): Part {
  const isInValue = separator === ';' ? isParameterCharacter : isPairCharacter
  return (uri, from) => {
    const to = Uint8Array.from(from)
    const starts = literal(start)(uri, from)
    for (let at = starts.indexOf(1); at >= 0; at = starts.indexOf(1, at + 1)) {
      for (const name of names) {
        if (!uri.startsWith(name, at)) continue
        let end = at + name.length
        if (uri[end] === '=') {
          to[++end] = 1
          while (end < uri.length && isInValue(uri.charCodeAt(end))) to[++end] = 1
        } else if (separator === ';') to[end] = 1
        else continue
        if (uri[end] === separator) starts[end + 1] = 1
      }
    }
    return to
  }
}

function addAll(to: Positions, more: Positions): boolean {
  let grew = false
  for (let at = more.indexOf(1); at >= 0; at = more.indexOf(1, at + 1)) {
    if (to[at] === 1) continue
    to[at] = 1
    grew = true
  }
  return grew
}
