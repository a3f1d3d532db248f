import type {
  CallOptions,
  ClientCapabilities,
  InputRequest,
  InputRequired,
  InputResponses,
  JsonObject,
} from '@vmcp/domain'
import { ClientCapabilityMissing, isInputRequired, isJsonObject } from '@vmcp/domain'
import { rpcCode } from './wire/json-rpc.js'
import { ProtocolError } from './wire/protocol-error.js'

/** What a retry carries besides the request itself. */
export interface Answers {
  readonly inputResponses?: InputResponses
  readonly requestState?: string
}

const mostRounds = 10

/**
 * Goes on with a verb that needs answers, for a client that is asked while its call runs: each question is pushed to the
 * client and the verb runs again with the answers, ten rounds at most.
 */
export async function askClient<Result extends object>(
  first: InputRequired,
  run: (answers: Answers) => Promise<Result | InputRequired>,
  options: CallOptions,
): Promise<Result> {
  let answers = await collect(first, options)
  for (let round = 1; round <= mostRounds; round += 1) {
    const result = await run(answers)
    if (!needsAnswers(result)) return result
    answers = await collect(result, options)
  }
  throw new ProtocolError(rpcCode.internalError, `the call asked for input more than ${mostRounds} times`, {
    status: 200,
  })
}

/** Throws `ClientCapabilityMissing` unless the client declared that it can answer every question. */
export function requireDeclared({ inputRequests }: InputRequired, declared: ClientCapabilities): void {
  for (const request of Object.values(inputRequests ?? {})) {
    const missing = missingCapability(request, declared)
    if (missing !== undefined) throw new ClientCapabilityMissing(missing)
  }
}

/** What the client did not declare but would need to answer `request`. */
export function missingCapability(
  { method, params }: InputRequest,
  declared: ClientCapabilities,
): ClientCapabilityMissing['capability'] | undefined {
  switch (method) {
    case 'elicitation/create': {
      const mode = params?.['mode'] === 'url' ? 'url' : 'form'
      return declared.elicitation?.[mode] === true ? undefined : 'elicitation'
    }
    case 'sampling/createMessage': {
      const usesTools = params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined
      const declares = declared.sampling !== undefined && (!usesTools || declared.sampling.tools === true)
      return declares ? undefined : 'sampling'
    }
    case 'roots/list':
      return declared.roots === true ? undefined : 'roots'
    default:
      return 'elicitation'
  }
}

async function collect({ inputRequests, requestState }: InputRequired, options: CallOptions): Promise<Answers> {
  const { client, signal } = options
  const questions = Object.entries(inputRequests ?? {})
  const inputResponses: Record<string, JsonObject> = {}
  for (const [key, question] of questions) {
    const missing = missingCapability(question, client?.capabilities ?? {})
    if (missing !== undefined) throw new ClientCapabilityMissing(missing)
    if (client?.forward === undefined) throw new ClientCapabilityMissing('elicitation')
    inputResponses[key] = await client.forward(question, { ...(signal !== undefined && { signal }) })
  }
  return {
    ...(questions.length > 0 && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}

/** True when the verb did not finish and wants answers first. */
export function needsAnswers<Result extends object>(result: Result | InputRequired): result is InputRequired {
  return isJsonObject(result) && isInputRequired(result)
}
