import type {
  CallNotification,
  ClientCapabilities,
  ClientChannel,
  ElicitationRequester,
  JsonObject,
} from '@vmcp/domain'
import { ClientCapabilityMissing } from '@vmcp/domain'
import { missingCapability } from './ask-client.js'
import { createElicitationRequester } from './elicitation.js'
import { notificationText } from './wire/json-rpc.js'
import type { RequestId } from './wire/json-rpc.js'
import type { OpenQuestions } from './session/open-questions.js'

/** The client's side of one call, as a channel needs it. */
export interface ChannelEnd {
  /** What the client declared. */
  readonly capabilities: ClientCapabilities
  /** The lowest level of log messages to send now, or `undefined` for none. */
  readonly logLevel: string | undefined
  /** Sends a message ahead of the result. False when it cannot reach the client. */
  send(text: string): boolean
  /** Sends a message apart from any call, for what outlives this one. False as `send`; absent in 2026-07-28. */
  sendApart?(text: string): boolean
}

/** The channel of a 2026-07-28 request: it reports, and leaves questions to the result. */
export function createRetryChannel(end: ChannelEnd, progressToken: RequestId | undefined): ClientChannel {
  return new RetryChannel(end, progressToken)
}

/** The channel of a 2025-11-25 call: it reports and, given `questions`, asks on the call's own stream. */
export function createPushChannel(
  end: ChannelEnd,
  progressToken: RequestId | undefined,
  questions: OpenQuestions | undefined,
): ClientChannel {
  if (questions === undefined) return new PushChannel(end, progressToken)
  return end.capabilities.elicitation?.form === true
    ? new ElicitingChannel(end, progressToken, questions)
    : new AskingChannel(end, progressToken, questions)
}

/** Reports. What a channel can do is on its prototype, as one is made for every call. */
abstract class Reporter {
  readonly capabilities: ClientCapabilities
  readonly wantsProgress: boolean
  readonly #end: ChannelEnd
  readonly #progressToken: RequestId | undefined
  #reported = -Infinity

  constructor(end: ChannelEnd, progressToken: RequestId | undefined) {
    this.capabilities = end.capabilities
    this.wantsProgress = progressToken !== undefined
    this.#end = end
    this.#progressToken = progressToken
  }

  notify(notification: CallNotification): void {
    const end = this.#end
    switch (notification.type) {
      case 'log':
        if (reaches(notification.level, end.logLevel)) end.send(logText(notification))
        return
      case 'progress':
        if (this.#progressToken === undefined || notification.progress <= this.#reported) return
        this.#reported = notification.progress
        end.send(progressText(this.#progressToken, notification))
        return
      case 'elicitation-complete': {
        if (this.capabilities.elicitation?.url !== true || end.sendApart === undefined) return
        const { elicitationId } = notification
        const text = notificationText('notifications/elicitation/complete', { elicitationId })
        if (!end.send(text)) end.sendApart(text)
      }
    }
  }
}

class RetryChannel extends Reporter implements ClientChannel {
  readonly answers = 'retry'
}

class PushChannel extends Reporter implements ClientChannel {
  readonly answers = 'push'
}

class AskingChannel extends PushChannel {
  readonly #end: ChannelEnd
  readonly #questions: OpenQuestions

  constructor(end: ChannelEnd, progressToken: RequestId | undefined, questions: OpenQuestions) {
    super(end, progressToken)
    this.#end = end
    this.#questions = questions
  }

  get forward(): NonNullable<ClientChannel['forward']> {
    return async (request, asked) => {
      const missing = missingCapability(request, this.capabilities)
      if (missing !== undefined) throw new ClientCapabilityMissing(missing)
      return this.ask(request.method, request.params ?? {}, asked)
    }
  }

  protected ask(method: string, params: JsonObject, asked?: { readonly signal?: AbortSignal }): Promise<JsonObject> {
    return this.#questions.ask((text) => this.#end.send(text), { method, params }, asked?.signal)
  }
}

class ElicitingChannel extends AskingChannel {
  get elicitation(): ElicitationRequester {
    return createElicitationRequester((method, params, asked) => this.ask(method, params, asked))
  }
}

type Progress = Extract<CallNotification, { readonly type: 'progress' }>
type Log = Extract<CallNotification, { readonly type: 'log' }>

function progressText(progressToken: RequestId, { type: _progress, ...progress }: Progress): string {
  return notificationText('notifications/progress', { progressToken, ...progress })
}

function logText({ type: _log, ...log }: Log): string {
  return notificationText('notifications/message', log)
}

/** The levels of RFC 5424, from `debug` up. */
export const logLevels: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

function reaches(level: string, lowest: string | undefined): boolean {
  return lowest !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(lowest)
}
