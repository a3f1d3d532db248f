import {
  Cancelled,
  ClientCapabilityMissing,
  isJsonObject,
  type CallNotification,
  type ClientChannel,
  type ElicitationRequest,
  type ElicitationRequester,
  type InputRequest,
  type JsonObject,
} from '@vmcp/domain'
import type { Terminal } from '../terminal.js'
import { askForm } from './ask-form.js'
import type { Turns } from './turns.js'

/**
 * The user at a terminal as a calling client: asked one form at a time, told of progress and log messages.
 * Where the terminal cannot ask, it cannot be asked: a step that must ask fails.
 */
export function terminalChannel(
  terminal: Terminal,
  turns: Turns,
  notify: (notification: CallNotification) => void,
): ClientChannel {
  if (terminal.ask === undefined) return { capabilities: {}, answers: 'push', wantsProgress: true, notify }
  const elicitation = formRequester(terminal, turns)
  return {
    capabilities: { elicitation: { form: true } },
    answers: 'push',
    elicitation,
    forward: (request, options) => forward(elicitation, request, options),
    wantsProgress: true,
    notify,
  }
}

function formRequester(terminal: Terminal, turns: Turns): ElicitationRequester {
  return {
    requestElicitation: (request, options = {}) =>
      turns.talk(async () => {
        refuseWithdrawn(options.signal)
        try {
          return await askForm(request, {
            error: (line) => terminal.error(line),
            ask: async (question) => {
              const line = await terminal.ask?.(question, options)
              refuseWithdrawn(options.signal)
              return line
            },
          })
        } finally {
          terminal.error('')
        }
      }),
  }
}

function refuseWithdrawn(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Cancelled('the question was withdrawn')
}

/** A backend's own question. Only a form was declared. */
async function forward(
  elicitation: ElicitationRequester,
  { method, params = {} }: InputRequest,
  options?: { readonly signal?: AbortSignal },
): Promise<JsonObject> {
  if (method === 'sampling/createMessage') throw new ClientCapabilityMissing('sampling')
  if (method === 'roots/list') throw new ClientCapabilityMissing('roots')
  if (method !== 'elicitation/create' || params['mode'] === 'url') throw new ClientCapabilityMissing('elicitation')
  const { message, requestedSchema } = params
  const question: ElicitationRequest = {
    message: String(message),
    requestedSchema: isJsonObject(requestedSchema) ? requestedSchema : {},
  }
  return { ...(await elicitation.requestElicitation(question, options)) }
}
