import { describe, expect, it } from 'vitest'

import { nearNames } from './near-names.js'

describe('nearNames', () => {
  it('finds slips of the pen, nearest first', () => {
    expect(nearNames('serach_issues', ['list_issues', 'search_issues', 'search_issue'])).toEqual([
      'search_issues',
      'search_issue',
    ])
  })

  it('finds a name that lacks its prefix, and one in other letters', () => {
    expect(nearNames('echo', ['b1_echo', 'b1_secret'])).toEqual(['b1_echo'])
    expect(nearNames('B1_ECHO', ['b1_echo'])).toEqual(['b1_echo'])
  })

  it('finds nothing where nothing is near, and never more than three', () => {
    expect(nearNames('weather', ['calculator'])).toEqual([])
    expect(nearNames('tool_1', ['tool_2', 'tool_3', 'tool_4', 'tool_5'])).toHaveLength(3)
  })

  it('does not compare a name that nobody can have mistyped', () => {
    const longest = 'x'.repeat(256)
    expect(nearNames(longest, [`${longest}y`])).toEqual([`${longest}y`])
    expect(nearNames(`${longest}y`, [longest])).toEqual([])
  })

  it('looks at no name whose length alone is too different', () => {
    expect(nearNames('search', ['y'.repeat(1_000_000)])).toEqual([])
  })
})
