import type { JsonObject } from '@vmcp/domain'

/** A question to the client, spelled as an input request of 2026-07-28. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: JsonObject
}

/** Questions of one round by the key of their answer. */
export type Questions = Readonly<Record<string, Question>>

/** Answers to questions by key: results of elicitation, sampling or roots. */
export type Answers = Readonly<Record<string, JsonObject>>

/** How questions are asked. */
export interface AskOptions {
  /** Whether answers count only together with the state that was given out with the questions. */
  readonly sealed?: boolean
}

/**
 * One request as the fixture's tools and prompts see it. They are the same in both eras:
 * a question is pushed to a client of 2025, and ends the request of a 2026 client, whose next one runs the tool anew.
 */
export interface ConformanceCall {
  readonly arguments: JsonObject
  /** What the client declared. */
  readonly capabilities: JsonObject
  reportProgress(progress: number, total: number): Promise<void>
  log(text: string): Promise<void>
  ask(questions: Questions, options?: AskOptions): Promise<Answers>
  /** Refuses the request unless the client declared a capability. */
  require(capability: string): void
  /** Tells every client that a list has changed, after changing it. */
  toggleList(list: 'tools' | 'prompts'): Promise<void>
  /** Ends the response stream before the answer, so that the client has to resume it (2025). */
  closeStream(): void
}

/** A tool of the fixture: what it is listed with and what it does. */
export interface ConformanceTool {
  readonly definition: JsonObject & { readonly name: string }
  call(call: ConformanceCall): JsonObject | Promise<JsonObject>
}

/** A prompt of the fixture. */
export interface ConformancePrompt {
  readonly definition: JsonObject & { readonly name: string }
  get(call: ConformanceCall): JsonObject | Promise<JsonObject>
}

/** A tool that takes what `properties` name; all of them are required unless `required` says otherwise. */
export function tool(
  name: string,
  description: string,
  call: ConformanceTool['call'],
  properties: JsonObject = {},
): ConformanceTool {
  const required = Object.keys(properties)
  const inputSchema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return { definition: { name, description, inputSchema }, call }
}

/** A question for a form. */
export function form(message: string, properties: JsonObject, required: readonly string[]): Question {
  const requestedSchema = { type: 'object', properties, required }
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

/** A question for a completion of a language model. */
export function sampling(prompt: string, maxTokens = 100): Question {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }]
  return { method: 'sampling/createMessage', params: { messages, maxTokens } }
}

/** The question for the client's roots. */
export const roots: Question = { method: 'roots/list', params: {} }
