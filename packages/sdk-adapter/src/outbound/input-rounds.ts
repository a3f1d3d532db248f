import { randomUUID } from 'node:crypto'
import type { InputRequest, InputRequired, InputResponses, JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import type { AskableClient } from './backend-requests.js'
import { WireFailure } from './wire-failure.js'

/** One round of a call that a backend answers with questions (2026-07-28). */
export interface Round {
  readonly inputResponses?: InputResponses
  readonly requestState?: string
}

const maxRounds = 10

/**
 * Drives a call of a 2026 backend for a client of 2025: each question is put to the client while the call runs, and the call
 * is made again with the answers, ten times at most.
 */
export async function driveRounds<Answer>(
  call: (round: Round) => Promise<Answer | InputRequired>,
  { client, signal }: { readonly client: AskableClient; readonly signal?: AbortSignal | undefined },
): Promise<Answer> {
  let answer = await call({})
  for (let round = 0; round < maxRounds; round += 1) {
    if (!isAsking(answer)) return answer
    answer = await call(await answerQuestions(answer, client, signal))
  }
  if (!isAsking(answer)) return answer
  throw new WireFailure({ kind: 'protocol', detail: `it asks more than ${maxRounds} times` })
}

async function answerQuestions(
  { inputRequests = {}, requestState }: InputRequired,
  client: AskableClient,
  signal: AbortSignal | undefined,
): Promise<Round> {
  const inputResponses: Record<string, JsonObject> = {}
  for (const [key, request] of Object.entries(inputRequests)) {
    inputResponses[key] = await client.forward(asPushed(request), signal === undefined ? {} : { signal })
  }
  return { inputResponses, ...(requestState !== undefined && { requestState }) }
}

/** A question by URL has an id in 2025, and none in 2026. */
function asPushed(request: InputRequest): InputRequest {
  const { method, params } = request
  if (method !== 'elicitation/create' || params?.['mode'] !== 'url' || 'elicitationId' in params) return request
  return { method, params: { ...params, elicitationId: randomUUID() } }
}

/** True for an answer that asks the client first. */
export function isAsking<Answer>(answer: Answer | InputRequired): answer is InputRequired {
  return isJsonObject(answer) && answer['resultType'] === 'input_required'
}
