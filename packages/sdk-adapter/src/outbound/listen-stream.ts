import type { Client } from '@modelcontextprotocol/client'
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'

/** What a subscription of 2026-07-28 asks for. */
export interface ListenFilter {
  readonly toolsListChanged?: true
  readonly resourcesListChanged?: true
  readonly promptsListChanged?: true
  readonly resourceSubscriptions?: string[]
}

/** What a `ListenStream` works with. */
export interface ListenStreamOptions {
  readonly client: Pick<Client, 'listen'>
  readonly signal: AbortSignal
  /** What to ask for now. Empty asks for nothing. */
  filter(): ListenFilter
  failed(error: unknown): void
}

const firstWaitMs = 1_000
const maxWaitMs = 30_000

/**
 * Keeps one subscription to a stateless backend: opened anew when what it asks for changes and when it is lost, with a
 * growing wait. It gives up where the backend does not know subscriptions.
 */
export class ListenStream {
  readonly #options: ListenStreamOptions
  #changed = () => {}
  #waitMs = firstWaitMs

  constructor(options: ListenStreamOptions) {
    this.#options = options
    options.signal.addEventListener('abort', () => this.#changed(), { once: true })
    void this.#keep()
  }

  /** What is asked for has changed. */
  refresh(): void {
    this.#changed()
  }

  async #keep(): Promise<void> {
    const { client, signal } = this.#options
    let close = async () => {}
    while (!signal.aborted) {
      const changed = new Promise<'changed'>((resolve) => {
        this.#changed = () => resolve('changed')
      })
      try {
        const filter = this.#options.filter()
        const previous = close
        close = async () => {}
        const isEmpty = Object.keys(filter).length === 0
        const subscription = isEmpty ? undefined : await client.listen(filter, { signal })
        if (subscription !== undefined) close = () => subscription.close()
        await previous()
        this.#waitMs = firstWaitMs
        const how = await Promise.race([changed, ...(subscription === undefined ? [] : [subscription.closed])])
        if (how !== 'changed') await Promise.race([changed, this.#pause()])
      } catch (error) {
        if (signal.aborted) break
        this.#options.failed(error)
        if (isUnknown(error)) return
        await Promise.race([changed, this.#pause()])
      }
    }
    await close().catch(() => {})
  }

  #pause(): Promise<void> {
    const wait = this.#waitMs
    this.#waitMs = Math.min(wait * 2, maxWaitMs)
    return new Promise((resolve) => setTimeout(resolve, wait).unref())
  }
}

/** True when the backend has no subscriptions at all. */
function isUnknown(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === -32601
  return error instanceof SdkError && error.code === SdkErrorCode.MethodNotSupportedByProtocolVersion
}
