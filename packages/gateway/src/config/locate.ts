import { isMap, isNode, isPair, isScalar, isSeq, type Document, type LineCounter, type Node } from 'yaml'

/** A place in a file, from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A path of keys and indices into a document. */
export type Path = readonly (string | number)[]

/**
 * Finds where a path stands in a document: its value, or its key when `at` is `key`.
 * A path that the document does not have gives the nearest parent that it has.
 */
export function locate(document: Document, lines: LineCounter, path: Path, at: 'key' | 'value' = 'value'): Place {
  let node: Node | null = document.contents
  let offset = startOf(node)
  for (const [depth, step] of path.entries()) {
    const next = child(node, step)
    if (next === undefined) break
    const isLast = depth === path.length - 1
    offset = (isLast && at === 'key' ? next.keyOffset : undefined) ?? startOf(next.value) ?? next.keyOffset ?? offset
    node = next.value
  }
  const { line, col } = lines.linePos(offset ?? 0)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

/** Writes a path as `backends[1].url`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((written, step) => {
    if (typeof step === 'number') return `${written}[${step}]`
    if (!/^[\w$-]+$/.test(step)) return `${written}[${JSON.stringify(step)}]`
    return written === '' ? step : `${written}.${step}`
  }, '')
}

/** Reads a path that `formatPath` or the composer wrote. */
export function parsePath(path: string): Path {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(([, index, quoted, key]) =>
    index !== undefined ? Number(index) : (quoted ?? key ?? ''),
  )
}

function child(node: Node | null, step: string | number) {
  if (isMap(node)) {
    const pair = node.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
    )
    if (pair === undefined) return undefined
    return {
      value: isNode(pair.value) ? pair.value : null,
      keyOffset: isNode(pair.key) ? startOf(pair.key) : undefined,
    }
  }
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step]
    return isNode(item) ? { value: item, keyOffset: startOf(item) } : undefined
  }
  return undefined
}

function startOf(node: Node | null): number | undefined {
  return node?.range?.[0]
}
