import { describe, expect, it } from 'vitest'

import { advertised, aggregate, findingsOf, promptRoutes, routable } from '../test-support/aggregate.js'
import { scriptedBackend, toolNamed } from '../test-support/scripted-backend.js'

describe('the name policy', () => {
  it('case 01: makes names fit into what clients leave of them, and keeps them apart', async () => {
    const id = 'customer_internal_jira_onprem'
    const tools = ['v2', 'v3'].map((version) => `search_issues_with_extended_field_projection_${version}`)
    const setup = { aggregation: { names: { maxLength: 64, reservedLength: 11 } } }
    const view = await aggregate([scriptedBackend(id, { tools })], setup)
    const names = [...view.tools.keys()]
    expect(new Set(names).size).toBe(2)
    expect(names.every((name) => name.length <= 53 && /^[A-Za-z0-9_-]+$/u.test(name))).toBe(true)
    expect([...view.tools.values()].map(({ route }) => route.name).sort()).toEqual(tools)
    const again = await aggregate([scriptedBackend(id, { tools: [...tools].reverse() })], setup)
    expect(routable(again)).toEqual(routable(view))
  })

  it('case 02: makes names ASCII, keeps the original as the title and reports both', async () => {
    const id = 'Google Sheets 表計算 📊'
    const view = await aggregate([
      scriptedBackend(id, { tools: ['données.lire/ligne'] }),
      scriptedBackend('Google_Sheets', { tools: ['read'] }),
    ])
    const [repaired, plain] = [...view.tools.keys()]
    expect(plain).toBe('Google_Sheets_read')
    expect(repaired).toMatch(/^Google_Sheets_[0-9a-f]{10}_donnees\.lire_ligne_[0-9a-f]{10}$/u)
    expect(view.tools.get(repaired ?? '')?.item.title).toBe('données.lire/ligne')
    expect(
      findingsOf(view, 'name-repaired').map(({ kind, subject, advertisedAs }) => [kind, subject, advertisedAs]),
    ).toEqual([
      ['backend', id, expect.stringMatching(/^Google_Sheets_[0-9a-f]{10}$/u)],
      ['tool', 'données.lire/ligne', repaired],
    ])
  })

  it('holds for prompts too', async () => {
    const view = await aggregate([scriptedBackend('b', { prompts: ['résumé', 'ok'] })])
    expect(promptRoutes(view)).toEqual([
      'b_ok -> b/ok',
      expect.stringMatching(/^b_resume_[0-9a-f]{10} -> b\/résumé$/u) as unknown as string,
    ])
    expect([...view.prompts.values()].map(({ item }) => item.title)).toEqual([undefined, 'résumé'])
  })

  it('leaves a title that is there', async () => {
    const view = await aggregate([
      scriptedBackend('b', {
        tools: [toolNamed('a b', { title: 'Mine' }), toolNamed('c d', { annotations: { title: 'Hint' } })],
      }),
    ])
    expect([...view.tools.values()].map(({ item }) => item.title)).toEqual(['Mine', undefined])
  })

  it('leaves legal names byte for byte, up to the last character of the budget', async () => {
    const name = 'x'.repeat(62)
    const view = await aggregate([scriptedBackend('b', { tools: [name, 'Dots.and-dashes_9'] })])
    expect(advertised(view)).toEqual([`b_Dots.and-dashes_9 -> b/Dots.and-dashes_9`, `b_${name} -> b/${name}`])
    expect(view.report.findings).toEqual([])
  })
})
