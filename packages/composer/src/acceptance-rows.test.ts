import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** How many acceptance rows there are of each kind: CORE-W01 to CORE-W31, and so on. */
const rowCounts = { W: 31, T: 17, O: 12, E: 15, F: 11, V: 3, S: 5, U: 1, M: 16 }

/** Rows that say something about other packages. */
const elsewhere: Readonly<Record<string, string>> = {
  'CORE-M02': 'whether a workflow can be reached is decided by core, which has the routes',
  'CORE-M03': 'core settles names that a backend tool has too',
  'CORE-M04': 'core settles names that a backend tool has too',
  'CORE-M10': 'whether a workflow can be reached is decided by core, which has the routes',
  'CORE-M11': 'whether a workflow can be reached is decided by core, which has the routes',
  'CORE-M12': 'core resolves `backend.tool`; the composer hands the reference on as it is written',
  'CORE-M14': 'the telemetry package counts what the observer hears',
  'CORE-M15': 'core hides tools; here a hidden tool is one without an advertised schema (CORE-W12)',
  'CORE-M16': 'equal names are seen where all workflows are: in core and in the configuration',
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('acceptance-rows.test.ts'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/(?:\bit|\]\))\(\s*['"`].*/g) ?? [])
const tested = new Set(titles.flatMap((title) => title.match(/CORE-[A-Z]\d\d/g) ?? []))

describe('the acceptance rows of the composer', () => {
  it('each have a test here or a reason why not', () => {
    const rows = Object.entries(rowCounts).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, index) => `CORE-${kind}${String(index + 1).padStart(2, '0')}`),
    )

    expect(rows.filter((row) => !tested.has(row) && !Object.hasOwn(elsewhere, row))).toEqual([])
  })

  it('have no reason when they have a test', () => {
    expect(Object.keys(elsewhere).filter((row) => tested.has(row))).toEqual([])
  })
})
