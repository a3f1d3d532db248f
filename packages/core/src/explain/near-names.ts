const most = 3
/** Comparing takes the product of two lengths; nobody mistypes a longer name. */
const longest = 256

/** The names that `name` may have been meant for, nearest first; at most three. */
export function nearNames(name: string, names: readonly string[]): readonly string[] {
  if (name.length > longest) return []
  const wanted = name.toLowerCase()
  const tolerance = Math.max(2, Math.floor(name.length / 4))
  return names
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase(), tolerance) }))
    .filter((near) => near.distance <= tolerance)
    .sort((left, right) => left.distance - right.distance || (left.candidate < right.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** Edits from one text to the other; fewer when one ends in the other, as a name with a prefix does. */
function distance(left: string, right: string, tolerance: number): number {
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  if (short.length > 2 && (long.endsWith(short) || long.startsWith(short))) return 1
  return Math.abs(left.length - right.length) > tolerance ? Infinity : edits(left, right)
}

/** The Levenshtein distance. */
function edits(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [leftIndex, leftCharacter] of [...left].entries()) {
    const next = [leftIndex + 1]
    for (const [rightIndex, rightCharacter] of [...right].entries()) {
      const replaced = (row[rightIndex] ?? 0) + (leftCharacter === rightCharacter ? 0 : 1)
      next.push(Math.min(replaced, (row[rightIndex + 1] ?? 0) + 1, (next[rightIndex] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
