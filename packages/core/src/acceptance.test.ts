import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

/**
 * The acceptance rows that concern the core: CORE-C, -A, -K, -B and -M, AGG (conflicts, visibility, resources, prompts,
 * pipeline, cache, router) and SRV (authorization, health). Each is `tested`, or says why there is no test.
 */
const rows: Readonly<Record<string, string>> = JSON.parse(readFileSync(path('../acceptance.json'), 'utf8'))
const rowId = /\b(?:CORE-[CAKBM]|AGG-[ARPQKTDG]|SRV-[ZB])\d+\b/g
const cited = citedRows(['.', '../../composer/src'])

describe('the acceptance rows of the core', () => {
  it('are each tested, or have a reason why not', () => {
    const open = Object.entries(rows).filter(([row, state]) =>
      state === 'tested' ? !cited.has(row) : state.length < 20,
    )
    expect(open.map(([row]) => row)).toEqual([])
  })

  it('are all there that a test cites', () => {
    expect([...cited].filter((row) => !Object.hasOwn(rows, row))).toEqual([])
  })
})

/** The rows in the titles of tests, comments aside. */
function citedRows(folders: readonly string[]): ReadonlySet<string> {
  const titles = folders.flatMap(testFiles).flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => /^\s*(?:it|test|describe|\[|\]\)\(|['"`])/.test(line))
  })
  return new Set(titles.flatMap((title) => title.match(rowId) ?? []))
}

function testFiles(folder: string): readonly string[] {
  const files = readdirSync(path(folder), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => path(`${folder}/${file}`))
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
