import { CapabilityConflict } from '@vmcp/domain'
import type { Tool } from '@vmcp/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { AggregationConfig, ConflictResolution } from '../core-config.js'
import { createMerge } from './merge.js'
import { isLegalName } from './names/legal-name.js'
import { createNamer } from './names/namer.js'
import type { Offer } from './offer.js'
import { toolNamed } from './test-support/scripted-backend.js'
import type { View } from './view.js'

// Few letters and separators, so that prefixes and names meet often; and any text at all.
const closeText = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.'), minLength: 1, maxLength: 4 })
const anyText = fc.oneof(closeText, fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ unit: 'grapheme' }))

const offer = (backendId: string, names: readonly string[]): Offer => ({
  backendId,
  tools: names.map((name) => toolNamed(name, { description: `${backendId}/${name}` })),
  resources: names.map((name) => ({ uri: `u:${name}`, name })),
  templates: names.map((name) => ({ uriTemplate: `u:${name}/{x}`, name })),
  prompts: names.map((name) => ({ name, description: `${backendId}/${name}` })),
  toolsKnown: true,
  failures: [],
  findings: [],
})
const offersOf = (text: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(text, fc.array(text, { maxLength: 5 })), {
      selector: ([id]) => id,
      minLength: 1,
      maxLength: 5,
    })
    .map((entries) => entries.map(([id, names]) => offer(id, names)))
const resolutionFor = (offers: readonly Offer[]): fc.Arbitrary<ConflictResolution> =>
  fc.oneof(
    fc.constant<ConflictResolution>({ strategy: 'prefix' }),
    fc
      .shuffledSubarray(
        offers.map(({ backendId }) => backendId),
        { minLength: 1 },
      )
      .map((priorityOrder): ConflictResolution => ({ strategy: 'priority', priorityOrder })),
  )
const cases = (text: fc.Arbitrary<string>) =>
  offersOf(text).chain((offers) =>
    fc.record({
      offers: fc.constant(offers),
      shuffled: fc.shuffledSubarray(offers, { minLength: offers.length, maxLength: offers.length }),
      conflictResolution: resolutionFor(offers),
    }),
  )

function merged(offers: readonly Offer[], aggregation: AggregationConfig): View {
  const ids = new Set(offers.map(({ backendId }) => backendId))
  return createMerge(aggregation, ids)({ offers, askedCount: offers.length, findings: [] })
}

function entriesOf(view: View): unknown {
  return [view.tools, view.resources, view.templates, view.prompts].map((map) => [...map])
}

describe('aggregation', () => {
  it('gives the same view for any order in which backends answer', () => {
    fc.assert(
      fc.property(cases(anyText), ({ offers, shuffled, conflictResolution }) => {
        const [one, other] = [offers, shuffled].map((order) => merged(order, { conflictResolution }))
        expect(entriesOf(other as View)).toEqual(entriesOf(one as View))
        expect(other?.report).toEqual(one?.report)
      }),
    )
  })

  it('finds the same undecided names for any order, or the same view, under the manual strategy', () => {
    const outcome = (offers: readonly Offer[]): unknown => {
      try {
        return entriesOf(merged(offers, { conflictResolution: { strategy: 'manual' } }))
      } catch (error) {
        return error instanceof CapabilityConflict ? [error.message, error.conflicts] : error
      }
    }
    fc.assert(
      fc.property(cases(closeText), ({ offers, shuffled }) => {
        expect(outcome(shuffled)).toEqual(outcome(offers))
      }),
    )
  })

  it('never lets an advertised name lead to a tool or prompt other than the one it was derived from', () => {
    fc.assert(
      fc.property(cases(anyText), ({ offers, conflictResolution }) => {
        const view = merged(offers, { conflictResolution })
        const namer = createNamer({}, conflictResolution.prefixFormat)
        for (const [name, { item, route }] of [...view.tools, ...view.prompts]) {
          const source = { backendId: route.backendId, ownName: route.name }
          const derived = [namer.bare(source, route.name), namer.prefixed(source, route.name)]
          expect(derived.map(({ advertisedAs }) => advertisedAs)).toContain(name)
          expect(item).toMatchObject({
            name,
            backendId: route.backendId,
            description: `${route.backendId}/${route.name}`,
          })
        }
      }),
    )
  })

  it('gives names that are legal, within the budget and unique, for any text', () => {
    fc.assert(
      fc.property(cases(anyText), fc.integer({ min: 16, max: 64 }), ({ offers, conflictResolution }, maxLength) => {
        const view = merged(offers, { conflictResolution, names: { maxLength } })
        expect([...view.tools.keys(), ...view.prompts.keys()].filter((name) => !isLegalName(name, maxLength))).toEqual(
          [],
        )
        const routes = [...view.tools.values()].map(({ route }) => JSON.stringify(route))
        expect(new Set(routes).size).toBe(routes.length)
      }),
    )
  })

  it('loses no tool without a finding', () => {
    fc.assert(
      fc.property(cases(anyText), ({ offers, conflictResolution }) => {
        const view = merged(offers, { conflictResolution })
        const lost = view.report.findings.filter(({ reason, kind }) => reason === 'lost-conflict' && kind === 'tool')
        const offered = offers.reduce((sum, { tools }) => sum + tools.length, 0)
        expect(view.tools.size + lost.length).toBe(offered)
      }),
    )
  })

  it('changes nothing of what it is given', () => {
    fc.assert(
      fc.property(cases(closeText), ({ offers, conflictResolution }) => {
        const before = structuredClone(offers)
        for (const { tools } of offers) tools.forEach((tool: Tool) => Object.freeze(tool))
        merged(offers, { conflictResolution, invalidSchemas: 'repair' })
        expect(offers).toEqual(before)
      }),
    )
  })
})
