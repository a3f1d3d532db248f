import type { CallNotification, ClientCapabilities, ClientChannel, ElicitationRequester } from '@vmcp/domain'

/** Told of what passes between a backend and the client of its call. */
export interface ChannelWatch {
  /** The backend gave a sign of life. */
  signOfLife(): void
  /** The client is being asked something on the backend's behalf. */
  questionOpened(): void
  /** It has answered, or never will. */
  questionClosed(): void
}

/** The channel of a call, as its backend gets it: what passes through it is noticed. */
export class HeardClient implements ClientChannel {
  readonly capabilities: ClientCapabilities
  readonly answers: ClientChannel['answers']
  readonly wantsProgress: boolean
  readonly elicitation?: ElicitationRequester
  readonly forward?: NonNullable<ClientChannel['forward']>
  readonly #client: ClientChannel
  readonly #watch: ChannelWatch

  constructor(client: ClientChannel, watch: ChannelWatch) {
    this.#client = client
    this.#watch = watch
    this.capabilities = client.capabilities
    this.answers = client.answers
    this.wantsProgress = client.wantsProgress
    // Not closures assigned at once: V8 would make them old from birth, and all they hold on to with them.
    const elicitation = this.#heardElicitation()
    const forward = this.#heardForward()
    if (elicitation !== undefined) this.elicitation = elicitation
    if (forward !== undefined) this.forward = forward
  }

  notify(notification: CallNotification): void {
    this.#watch.signOfLife()
    this.#client.notify(notification)
  }

  #heardElicitation(): ElicitationRequester | undefined {
    const { elicitation } = this.#client
    if (elicitation === undefined) return undefined
    return {
      requestElicitation: (request, options) => this.#asking(() => elicitation.requestElicitation(request, options)),
    }
  }

  #heardForward(): ClientChannel['forward'] {
    const { forward } = this.#client
    return forward && ((request, options) => this.#asking(() => forward.call(this.#client, request, options)))
  }

  async #asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.#watch.questionOpened()
    try {
      return await ask()
    } finally {
      this.#watch.questionClosed()
    }
  }
}
