import { ContentTooLarge, delegate, ElicitationTimeout, isJsonObject, SchemaTooLarge } from '@vmcp/domain'
import type { ClientChannel, Decorator, ElicitationRequester, ElicitationResult } from '@vmcp/domain'
import { nested, scenario, type Scenario } from './scenario.js'

/** A seam that does something else than it should, and a scenario in which that must show. */
export interface BrokenSeam {
  readonly claim: string
  readonly seam: Decorator
  readonly scenario: Scenario
}

/** Puts a requester in place of the calling client's own. */
export function replaceRequester(change: (inner: ElicitationRequester) => ElicitationRequester): Decorator {
  return (vmcp) =>
    delegate(vmcp, {
      callTool: (identity, request, options) => {
        const { client } = options ?? {}
        if (client?.elicitation === undefined) return vmcp.callTool(identity, request, options)
        const changed = withRequester(client, change(client.elicitation))
        return vmcp.callTool(identity, request, { ...options, client: changed })
      },
    })
}

/** Member by member: the channel may be an instance of a class, of which a copy by spread lacks the methods. */
function withRequester(client: ClientChannel, elicitation: ElicitationRequester): ClientChannel {
  const forward = client.forward?.bind(client)
  return {
    capabilities: client.capabilities,
    answers: client.answers,
    wantsProgress: client.wantsProgress,
    elicitation,
    ...(forward !== undefined && { forward }),
    notify: (notification) => client.notify(notification),
  }
}

const accepted = scenario({ action: 'accept', content: { count: 3, zones: ['eu'] } })
const contentOf = (bytes: number): Scenario =>
  scenario({ action: 'accept', content: { text: 'x'.repeat(bytes) } }, { client: 'lawless' })

/** Each way to break the seam that the suite must notice. */
export const brokenSeams: readonly BrokenSeam[] = [
  {
    claim: 'takes an accept for a decline',
    seam: changeAnswer((answer) => ({ ...answer, action: 'decline' })),
    scenario: accepted,
  },
  {
    claim: 'takes a decline for a cancel',
    seam: changeAnswer((answer) => ({ ...answer, action: 'cancel' })),
    scenario: scenario({ action: 'decline' }),
  },
  {
    claim: 'takes a cancel for a decline',
    seam: changeAnswer((answer) => ({ ...answer, action: 'decline' })),
    scenario: scenario({ action: 'cancel' }),
  },
  { claim: 'drops the content', seam: changeAnswer(({ action }) => ({ action })), scenario: accepted },
  {
    claim: 'makes absent content an empty form',
    seam: changeAnswer((answer) => ({ content: {}, ...answer })),
    scenario: scenario({ action: 'accept' }),
  },
  {
    claim: 'makes texts of numbers',
    seam: changeAnswer((answer) => ({
      ...answer,
      content: { ...(isJsonObject(answer.content) ? answer.content : {}), count: '3' },
    })),
    scenario: accepted,
  },
  {
    claim: 'changes the message',
    seam: replaceRequester((inner) => ({
      requestElicitation: (question, options) =>
        inner.requestElicitation({ ...question, message: `${question.message} ` }, options),
    })),
    scenario: accepted,
  },
  {
    claim: 'changes the form',
    seam: replaceRequester((inner) => ({
      requestElicitation: ({ requestedSchema: { type: _lost, ...rest }, ...question }, options) =>
        inner.requestElicitation({ ...question, requestedSchema: { ...rest, type: 'object' } }, options),
    })),
    scenario: accepted,
  },
  {
    claim: 'has a smaller limit for forms',
    seam: replaceRequester((inner) => ({
      requestElicitation: async (question, options) => {
        const { length } = JSON.stringify(question.requestedSchema)
        if (length > 50_000) throw new SchemaTooLarge(length, 50_000)
        return inner.requestElicitation(question, options)
      },
    })),
    scenario: scenario({ action: 'accept', content: {} }, { schema: largeForm(90_000) }),
  },
  {
    claim: 'has a smaller limit for answers',
    seam: changeAnswer((answer) => {
      const { length } = JSON.stringify(answer.content)
      if (length > 500_000) throw new ContentTooLarge(length, 500_000)
      return answer
    }),
    scenario: contentOf(900_000),
  },
  {
    claim: 'cuts answers that are too large',
    seam: changeAnswer((answer) => ({ ...answer, content: { text: 'x' } })),
    scenario: contentOf(1_100_000),
  },
  {
    claim: 'flattens answers that are too deep',
    seam: changeAnswer((answer) => ({ ...answer, content: {} })),
    scenario: scenario({ action: 'accept', content: nested(11) }, { client: 'lawless' }),
  },
  {
    claim: 'gives up before its time',
    seam: replaceRequester(() => ({ requestElicitation: () => Promise.reject(new ElicitationTimeout('ask')) })),
    scenario: accepted,
  },
  {
    claim: 'leaves the question standing when its time is over',
    seam: replaceRequester((inner) => ({ requestElicitation: (question) => inner.requestElicitation(question) })),
    scenario: scenario('never', { step: { timeoutMs: 40 } }),
  },
]

function changeAnswer(change: (answer: ElicitationResult) => ElicitationResult): Decorator {
  return replaceRequester((inner) => ({
    requestElicitation: async (question, options) => change(await inner.requestElicitation(question, options)),
  }))
}

function largeForm(characters: number): Scenario['arguments'] {
  return { type: 'object', properties: {}, description: 'x'.repeat(characters) }
}
