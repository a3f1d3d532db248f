import type {
  CallNotification,
  ClientCapabilities,
  ClientChannel,
  ElicitationRequest,
  ElicitationResult,
  InputRequest,
  JsonObject,
} from '@vmcp/domain'

/** How a fake client behaves. */
export interface FakeChannelScript {
  /** Form elicitation when absent. */
  readonly capabilities?: ClientCapabilities
  /** `push` when absent. */
  readonly answers?: ClientChannel['answers']
  /** What the user does; absent means that nobody can be asked. */
  readonly elicit?: (request: ElicitationRequest) => ElicitationResult | Promise<ElicitationResult>
  /** How a forwarded question is answered; absent means that none can be forwarded. */
  readonly forward?: (request: InputRequest) => JsonObject | Promise<JsonObject>
  /** True when absent. */
  readonly wantsProgress?: boolean
}

/** A client that keeps what it was asked and told. */
export interface FakeChannel extends ClientChannel {
  readonly questions: readonly ElicitationRequest[]
  readonly forwarded: readonly InputRequest[]
  readonly notifications: readonly CallNotification[]
}

/** Makes a client channel that answers by script. */
export function fakeChannel(script: FakeChannelScript = {}): FakeChannel {
  const questions: ElicitationRequest[] = []
  const forwarded: InputRequest[] = []
  const notifications: CallNotification[] = []
  const { elicit, forward } = script
  return {
    questions,
    forwarded,
    notifications,
    capabilities: script.capabilities ?? { elicitation: { form: true } },
    answers: script.answers ?? 'push',
    wantsProgress: script.wantsProgress ?? true,
    notify: (notification) => {
      notifications.push(notification)
    },
    ...(elicit !== undefined && {
      elicitation: {
        requestElicitation: async (request) => {
          questions.push(request)
          return elicit(request)
        },
      },
    }),
    ...(forward !== undefined && {
      forward: async (request) => {
        forwarded.push(request)
        return forward(request)
      },
    }),
  }
}
