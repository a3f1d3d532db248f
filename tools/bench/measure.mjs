import { cpus } from 'node:os'

/** The middle of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The value below which `share` of the numbers lie. */
export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/**
 * Times subjects against each other: `rounds` rounds, each subject once in each, so that a disturbance meets all of them.
 * Gives microseconds for one repetition, the median over the rounds, by subject name.
 */
export async function interleave(subjects, { rounds = 7, repetitions = 1_000 } = {}) {
  const samples = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]))
  for (const subject of Object.values(subjects)) await repeat(subject, repetitions)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, subject] of Object.entries(subjects)) {
      const began = process.hrtime.bigint()
      await repeat(subject, repetitions)
      samples[name].push(Number(process.hrtime.bigint() - began) / 1_000 / repetitions)
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, times]) => [name, median(times)]))
}

/** Prints rows as an aligned table. */
export function printTable(title, head, rows) {
  const table = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? format(cell) : String(cell))),
  )
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)))
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ')
  process.stdout.write(`\n${title}\n${table.map((row) => `  ${line(row)}`).join('\n')}\n`)
}

/** What the figures were taken on. */
export function printMachine() {
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${process.platform}\n`,
  )
}

async function repeat(subject, repetitions) {
  for (let index = 0; index < repetitions; index += 1) await subject(index)
}

function format(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
