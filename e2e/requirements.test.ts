import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { requirements } from './requirements.js'

const folder = fileURLToPath(new URL('.', import.meta.url))
const folders = ['.', 'gateway-cases']
const titles = folders
  .flatMap((name) => readdirSync(`${folder}/${name}`).map((file) => `${name}/${file}`))
  .filter((file) => file.endsWith('.test.ts') && file !== './requirements.test.ts')
  .flatMap((file) => [
    ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^ *it(?:\.[^]*?\))?\(\s*(['"`])([^]*?)\1,/gm),
  ])
  .map(([, , title]) => title ?? '')
const cited = new Set(titles.flatMap((title) => title.match(/\b[A-Z]+-[A-Z]?\d+\b/g) ?? []))

describe('requirements', () => {
  it('each has a scenario', () => {
    expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([])
  })

  it('each scenario cites one that exists', () => {
    expect([...cited].filter((id) => !Object.hasOwn(requirements, id))).toEqual([])
    expect(titles.filter((title) => !/\b[A-Z]+-[A-Z]?\d+\b/.test(title))).toEqual([])
  })
})
