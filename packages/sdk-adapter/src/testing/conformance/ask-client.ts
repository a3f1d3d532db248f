import type { ServerContext } from '@modelcontextprotocol/server'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { passThrough } from '../pass-through.js'
import type { Answers, Questions } from './conformance-call.js'

/** Asks a client of 2025: one request for each question, one after the other. */
export async function pushQuestions(questions: Questions, context: ServerContext): Promise<Answers> {
  const answers: Record<string, JsonObject> = {}
  for (const [key, { method, params }] of Object.entries(questions)) {
    const answer = await context.mcpReq.send({ method, params: { ...params } }, passThrough)
    answers[key] = isJsonObject(answer) ? answer : {}
  }
  return answers
}

/** The answers that a 2026 request brings along; those that are not of the kind that was asked for are left out. */
export function answersTo(questions: Questions, responses: JsonObject): Answers {
  return Object.fromEntries(
    Object.entries(questions).flatMap(([key, { method }]) => {
      const answer = responses[key]
      return isJsonObject(answer) && telling[method] in answer ? [[key, answer]] : []
    }),
  )
}

/** The field that an answer must have. */
const telling = { 'elicitation/create': 'action', 'sampling/createMessage': 'content', 'roots/list': 'roots' } as const

/** Thrown where a 2026 request ends because the client has to be asked first. */
export class InputNeeded extends Error {
  readonly questions: Questions
  /** What was answered so far, to be sealed into the state. Absent: no state is given. */
  readonly known: JsonObject | undefined

  constructor(questions: Questions, known: JsonObject | undefined) {
    super('The client has to be asked')
    this.questions = questions
    this.known = known
  }
}
