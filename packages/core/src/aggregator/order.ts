/** Compares by UTF-16 code unit: the same order on every machine, whatever its locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** A map with the same entries, by key in code-unit order. */
export function sortedByKey<Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  return new Map([...map].sort(([left], [right]) => compareText(left, right)))
}
