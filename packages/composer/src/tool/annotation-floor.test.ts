import { describe, expect, it } from 'vitest'
import { annotationFloor, contradiction, mergeAnnotations } from './annotation-floor.js'

const safe = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
const unknown = { readOnlyHint: false, destructiveHint: true, openWorldHint: true }

describe('annotationFloor', () => {
  it('CORE-M07 is as dangerous as the most dangerous step', () => {
    expect(annotationFloor([])).toBeUndefined()
    expect(annotationFloor([undefined, undefined])).toEqual(unknown)
    expect(annotationFloor([safe, { ...safe, openWorldHint: true }])).toEqual({ ...safe, openWorldHint: true })
    expect(annotationFloor([{ readOnlyHint: true }, { readOnlyHint: false }])).toEqual(unknown)
  })
})

describe('contradiction', () => {
  it('CORE-M08 is a hint that looks safer than the floor', () => {
    expect(contradiction({ destructiveHint: false }, unknown)).toBe('destructiveHint')
    expect(contradiction({ readOnlyHint: true }, unknown)).toBe('readOnlyHint')
    expect(contradiction({ openWorldHint: false }, unknown)).toBe('openWorldHint')
  })

  it('CORE-M08 is not a hint that looks more dangerous, and not idempotence', () => {
    expect(contradiction({ readOnlyHint: false, destructiveHint: true, openWorldHint: true }, safe)).toBeUndefined()
    expect(contradiction({ idempotentHint: true }, unknown)).toBeUndefined()
    expect(contradiction(undefined, unknown)).toBeUndefined()
    expect(contradiction({ readOnlyHint: true }, undefined)).toBeUndefined()
  })
})

describe('mergeAnnotations', () => {
  it('lets what the workflow says win, apart from an empty title', () => {
    expect(mergeAnnotations({ title: '', readOnlyHint: false, idempotentHint: true }, safe)).toEqual({
      ...safe,
      readOnlyHint: false,
      idempotentHint: true,
    })
    expect(mergeAnnotations(undefined, undefined)).toBeUndefined()
  })
})
