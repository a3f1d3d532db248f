import {
  ContentTooLarge,
  ElicitationNotConfigured,
  ElicitationTimeout,
  InvalidInput,
  SchemaTooDeep,
  SchemaTooLarge,
  silentLogger,
} from '@vmcp/domain'
import type { ElicitationRequester, ElicitationResult, Logger } from '@vmcp/domain'
import { toMillis } from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it, vi } from 'vitest'
import { requestElicitation } from './request-elicitation.js'
import type { StepQuestion } from './request-elicitation.js'

const question: StepQuestion = { stepId: 'step-1', message: 'Go on?', schema: { type: 'object' } }

function answering(result: ElicitationResult): ElicitationRequester & { requestElicitation: ReturnType<typeof vi.fn> } {
  return { requestElicitation: vi.fn(() => Promise.resolve(result)) }
}

function ask(
  requester: ElicitationRequester | undefined,
  asked: StepQuestion = question,
  logger: Logger = silentLogger,
) {
  return Effect.runPromise(requestElicitation(requester, asked, logger))
}

function deep(levels: number): Record<string, unknown> {
  return levels === 0 ? {} : { inner: deep(levels - 1) }
}

describe('requestElicitation', () => {
  it('CORE-E06 fails without a requester and names the step', async () => {
    await expect(ask(undefined)).rejects.toThrow(ElicitationNotConfigured)
    await expect(ask(undefined)).rejects.toThrow('step-1')
  })

  // A configuration that is nil cannot be written in the types.
  it('CORE-E07 asks for a message and a schema before it asks the user', async () => {
    const requester = answering({ action: 'accept' })
    const noSchema = { stepId: 'step-1', message: 'Go on?' } as StepQuestion

    await expect(ask(requester, { ...question, message: '' })).rejects.toThrow('elicitation message is required')
    await expect(ask(requester, noSchema)).rejects.toThrow('elicitation schema is required')
    await expect(ask(requester, noSchema)).rejects.toBeInstanceOf(InvalidInput)
    expect(requester.requestElicitation).not.toHaveBeenCalled()
  })

  it('accepts an empty schema', async () => {
    await expect(ask(answering({ action: 'accept' }), { ...question, schema: {} })).resolves.toEqual({
      action: 'accept',
      content: null,
    })
  })

  it('CORE-E08 refuses a schema of 200 KiB without asking', async () => {
    const requester = answering({ action: 'accept' })
    const schema = { type: 'object', description: 'x'.repeat(200 * 1024) }

    await expect(ask(requester, { ...question, schema })).rejects.toThrow(SchemaTooLarge)
    expect(requester.requestElicitation).not.toHaveBeenCalled()
  })

  it('takes a schema of exactly 102 400 bytes, and not one more', async () => {
    const schema = (bytes: number) => ({ description: 'x'.repeat(bytes - '{"description":""}'.length) })
    const requester = answering({ action: 'accept' })

    await expect(ask(requester, { ...question, schema: schema(102_400) })).resolves.toBeDefined()
    await expect(ask(requester, { ...question, schema: schema(102_401) })).rejects.toThrow(SchemaTooLarge)
  })

  it('CORE-E09 takes ten levels of schema, and not eleven', async () => {
    const requester = answering({ action: 'accept' })

    await expect(ask(requester, { ...question, schema: deep(10) })).resolves.toBeDefined()
    await expect(ask(requester, { ...question, schema: deep(11) })).rejects.toThrow(SchemaTooDeep)
  })

  it('CORE-E10 refuses content of 2 MiB', async () => {
    const content = { text: 'x'.repeat(2 * 1024 * 1024) }

    await expect(ask(answering({ action: 'accept', content }))).rejects.toThrow(ContentTooLarge)
  })

  it('takes content of exactly 1 048 576 bytes, and not one more', async () => {
    const content = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

    await expect(ask(answering({ action: 'accept', content: content(1_048_576) }))).resolves.toBeDefined()
    await expect(ask(answering({ action: 'accept', content: content(1_048_577) }))).rejects.toThrow(ContentTooLarge)
  })

  it('takes ten levels of content, and not eleven', async () => {
    await expect(ask(answering({ action: 'accept', content: deep(10) }))).resolves.toBeDefined()
    await expect(ask(answering({ action: 'accept', content: deep(11) }))).rejects.toThrow(SchemaTooDeep)
  })

  it('does not look at the content of a refusal', async () => {
    await expect(ask(answering({ action: 'decline', content: deep(11) }))).resolves.toEqual({
      action: 'decline',
      content: null,
    })
  })

  it('CORE-E11 treats content that is not an object as absent, with a warning', async () => {
    const warn = vi.fn()

    const answer = await ask(answering({ action: 'accept', content: 'not-a-map' }), question, { ...silentLogger, warn })

    expect(answer).toEqual({ action: 'accept', content: null })
    expect(warn).toHaveBeenCalledOnce()
  })

  it('refuses an action that there is not', async () => {
    const requester = answering({ action: 'maybe' } as unknown as ElicitationResult)

    await expect(ask(requester)).rejects.toThrow('invalid elicitation response action for step step-1')
  })

  it('waits five minutes when the step does not say', async () => {
    await expect(timeOf({ ...question })).resolves.toBe(300_000)
  })

  it('CORE-E12 waits ten minutes at most, with a warning', async () => {
    const warn = vi.fn()

    await expect(timeOf({ ...question, timeoutMs: 3_600_000 }, { ...silentLogger, warn })).resolves.toBe(600_000)
    expect(warn).toHaveBeenCalledOnce()
  })

  it('aborts the question when its time is over', async () => {
    let aborted = false
    const requester: ElicitationRequester = {
      requestElicitation: (_request, options) => {
        options?.signal?.addEventListener('abort', () => (aborted = true))
        return new Promise(() => {})
      },
    }
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(requestElicitation(requester, question, silentLogger))
      yield* TestClock.adjust(300_000)
      return yield* Fiber.await(fiber)
    })

    await Effect.runPromise(Effect.provide(program, TestClock.layer()))

    expect(aborted).toBe(true)
  })
})

/** How long a question waits for an answer that does not come, in milliseconds. */
function timeOf(asked: StepQuestion, logger: Logger = silentLogger): Promise<number> {
  const requester: ElicitationRequester = { requestElicitation: () => new Promise(() => {}) }
  const program = Effect.gen(function* () {
    const waited = requestElicitation(requester, asked, logger).pipe(
      Effect.catch((error) => (error instanceof ElicitationTimeout ? Effect.void : Effect.die(error))),
      Effect.timed,
    )
    const fiber = yield* Effect.forkChild(waited)
    yield* TestClock.adjust(300_000)
    yield* TestClock.adjust(300_000)
    const [duration] = yield* Fiber.join(fiber)
    return duration
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer())).then(toMillis)
}
