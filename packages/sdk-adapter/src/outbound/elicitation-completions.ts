import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

/** What a backend of 2025-11-25 sends once an elicitation by URL is complete. */
export const completeMethod = 'notifications/elicitation/complete'

/** Hears the id of an elicitation that is complete. */
export type CompletionListener = (elicitationId: string) => void

/**
 * The elicitations by URL of one connection that may still be reported complete, each to the call it was part of and to no
 * other. A report may come after that call, on whichever stream the backend has.
 */
export class ElicitationCompletions {
  readonly #expected = new Map<string, CompletionListener>()

  /** Expects the completion of what a backend asks, if it is an elicitation by URL. */
  expect(params: unknown, listener: CompletionListener): void {
    if (!isJsonObject(params) || params['mode'] !== 'url') return
    const { elicitationId } = params
    if (typeof elicitationId !== 'string') return
    this.#expected.delete(elicitationId)
    this.#expected.set(elicitationId, listener)
    const [oldest] = this.#expected.keys()
    if (this.#expected.size > mostExpected && oldest !== undefined) this.#expected.delete(oldest)
  }

  /** Expects the completions of what a call was refused for (-32042, "URL elicitation required"). */
  expectRequired(data: unknown, listener: CompletionListener): void {
    const elicitations = isJsonObject(data) ? data['elicitations'] : undefined
    if (!Array.isArray(elicitations)) return
    for (const elicitation of elicitations.slice(0, mostExpected)) this.expect(elicitation, listener)
  }

  /** Passes a report on, once. One that nobody expects is dropped. */
  complete({ elicitationId }: JsonObject): void {
    if (typeof elicitationId !== 'string') return
    const listener = this.#expected.get(elicitationId)
    this.#expected.delete(elicitationId)
    listener?.(elicitationId)
  }
}

const mostExpected = 256
