import type { CallNotification, ClientCapabilities, ClientChannel, InputRequest, JsonObject } from '@vmcp/domain'
import { ClientCapabilityMissing } from '@vmcp/domain'
import { missingCapability } from './ask-client.js'
import { createElicitationRequester } from './elicitation.js'
import { notificationText } from './wire/json-rpc.js'
import type { RequestId } from './wire/json-rpc.js'
import type { OpenQuestions } from './session/open-questions.js'

/** What every channel needs. */
interface ChannelOptions {
  readonly capabilities: ClientCapabilities
  /** The caller's own token; absent when it wants no progress. */
  readonly progressToken: RequestId | undefined
  /** Asked for each log message: the lowest level to send, or `undefined` for none. */
  readonly logLevel: () => string | undefined
  /** Sends a message ahead of the result. False when it cannot reach the client. */
  readonly send: (text: string) => boolean
  /** Sends a message apart from any call, for what outlives this one. False as `send`; absent in 2026-07-28. */
  readonly sendApart?: (text: string) => boolean
}

/** The channel of a 2026-07-28 request: it reports, and leaves questions to the result. */
export function createRetryChannel(options: ChannelOptions): ClientChannel {
  return { ...createReporter(options), capabilities: options.capabilities, answers: 'retry' }
}

/** The channel of a 2025-11-25 call: it reports and asks on the call's own stream. */
export function createPushChannel(
  options: ChannelOptions & { readonly questions: OpenQuestions; readonly canAsk: boolean },
): ClientChannel {
  const { capabilities, questions, send, canAsk } = options
  const reporter = { ...createReporter(options), capabilities, answers: 'push' } as const
  if (!canAsk) return reporter
  const ask = (method: string, params: JsonObject, asked?: { readonly signal?: AbortSignal }) =>
    questions.ask(send, { method, params }, asked?.signal)
  return {
    ...reporter,
    ...(capabilities.elicitation?.form === true && { elicitation: createElicitationRequester(ask) }),
    forward: async (request: InputRequest, asked) => {
      const missing = missingCapability(request, capabilities)
      if (missing !== undefined) throw new ClientCapabilityMissing(missing)
      return ask(request.method, request.params ?? {}, asked)
    },
  }
}

function createReporter({
  capabilities,
  progressToken,
  logLevel,
  send,
  sendApart,
}: ChannelOptions): Pick<ClientChannel, 'wantsProgress' | 'notify'> {
  let reported = -Infinity
  return {
    wantsProgress: progressToken !== undefined,
    notify: (notification) => {
      switch (notification.type) {
        case 'log':
          if (reaches(notification.level, logLevel())) send(logText(notification))
          return
        case 'progress':
          if (progressToken === undefined || notification.progress <= reported) return
          reported = notification.progress
          send(progressText(progressToken, notification))
          return
        case 'elicitation-complete': {
          if (capabilities.elicitation?.url !== true || sendApart === undefined) return
          const { elicitationId } = notification
          const text = notificationText('notifications/elicitation/complete', { elicitationId })
          if (!send(text)) sendApart(text)
        }
      }
    },
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
