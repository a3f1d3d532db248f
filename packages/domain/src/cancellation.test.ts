import { describe, expect, it } from 'vitest'

import type { CallOptions } from './call-options.js'
import { CancellableOptions, Cancellation, isCancelled, offCancel, onCancel } from './cancellation.js'

function counter() {
  return {
    count: 0,
    handleEvent() {
      this.count += 1
    },
  }
}

describe('Cancellation', () => {
  it('tells its listeners once, and later ones never', () => {
    const cancellation = new Cancellation()
    const [first, second, late] = [counter(), counter(), counter()]
    cancellation.listen(first)
    cancellation.listen(second)
    cancellation.cancel()
    cancellation.cancel()
    cancellation.listen(late)
    expect([first.count, second.count, late.count]).toEqual([1, 1, 0])
  })

  it('tells nobody who has left', () => {
    const cancellation = new Cancellation()
    const [first, second] = [counter(), counter()]
    cancellation.listen(first)
    cancellation.listen(second)
    cancellation.unlisten(first)
    cancellation.cancel()
    expect([first.count, second.count]).toEqual([0, 1])
  })

  it.each(['before', 'after'] as const)('aborts the signal that was asked for %s it, with the reason', (when) => {
    const cancellation = new Cancellation()
    const early = when === 'before' ? cancellation.signal : undefined
    cancellation.cancel('why')
    const { signal } = cancellation
    expect(early ?? signal).toBe(signal)
    expect(signal).toMatchObject({ aborted: true, reason: 'why' })
  })

  it('gives an AbortError as the reason when there is none', () => {
    const cancellation = new Cancellation()
    cancellation.cancel()
    expect(cancellation.signal.reason).toMatchObject({ name: 'AbortError' })
  })
})

describe('CancellableOptions', () => {
  it('has the other options as they are, and no others', () => {
    const headers = { 'x-tenant': 'a' }
    const options = new CancellableOptions(new Cancellation(), { forwardedHeaders: headers, client: undefined })
    expect(Object.keys(options).sort()).toEqual(['forwardedHeaders', 'signal'])
    expect(options.forwardedHeaders).toBe(headers)
  })

  it.each([
    ['themselves', (options: CallOptions) => options],
    ['a copy by spread', (options: CallOptions): CallOptions => ({ ...options })],
    ['a copy by Object.assign', (options: CallOptions): CallOptions => Object.assign({}, options)],
  ])('give the signal of the cancellation: %s', (_, copied) => {
    const cancellation = new Cancellation()
    const options = copied(new CancellableOptions(cancellation, {}))
    const listener = counter()
    onCancel(options, listener)
    expect(options.signal?.aborted).toBe(false)
    expect(isCancelled(options)).toBe(false)
    cancellation.cancel()
    expect(options.signal?.aborted).toBe(true)
    expect(isCancelled(options)).toBe(true)
    expect(listener.count).toBe(1)
  })

  it('do not speak for a copy that has a signal of its own', () => {
    const cancellation = new Cancellation()
    const own = new AbortController()
    const copy: CallOptions = { ...new CancellableOptions(cancellation, {}), signal: own.signal }
    const listener = counter()
    onCancel(copy, listener)
    cancellation.cancel()
    expect(listener.count).toBe(0)
    own.abort()
    expect(listener.count).toBe(1)
  })
})

describe('onCancel', () => {
  it.each([
    ['a signal', (controller: AbortController): CallOptions => ({ signal: controller.signal })],
    [
      'a cancellation',
      (controller: AbortController): CallOptions => {
        const cancellation = new Cancellation()
        controller.signal.addEventListener('abort', () => cancellation.cancel())
        return new CancellableOptions(cancellation, {})
      },
    ],
  ])('is undone by offCancel: %s', (_, optionsOf) => {
    const controller = new AbortController()
    const options = optionsOf(controller)
    const [stays, leaves] = [counter(), counter()]
    onCancel(options, stays)
    onCancel(options, leaves)
    offCancel(options, leaves)
    controller.abort()
    expect([stays.count, leaves.count]).toEqual([1, 0])
  })

  it('takes options that cannot be cancelled', () => {
    for (const options of [undefined, {}]) {
      onCancel(options, counter())
      offCancel(options, counter())
      expect(isCancelled(options)).toBe(false)
    }
  })
})
