import type { ElicitationStep, JsonObject, JsonSchema, Workflow } from '@vmcp/domain'

/** A workflow that asks, and what the user does. */
export interface Scenario {
  readonly workflow: Workflow
  readonly arguments: JsonObject
  /** The answer to the question; `never` leaves it open, `fail` answers with a JSON-RPC error. */
  readonly answer: JsonObject | 'never' | 'fail'
  /** `official` is a client of SDK 2.x; `lawless` sends answers that an official one refuses to. */
  readonly client: 'official' | 'lawless'
}

/** What a scenario differs in. */
export interface ScenarioOptions {
  readonly schema?: JsonSchema
  readonly step?: Partial<Omit<ElicitationStep, 'type'>>
  /** Milliseconds for the whole workflow. */
  readonly timeoutMs?: number
  readonly client?: Scenario['client']
}

/** The form of most scenarios. It demands nothing, so that every answer fits it. */
export const openForm: JsonSchema = { type: 'object', properties: {} }

/** The name of the composite tool that every scenario calls. */
export const toolName = 'deploy'

/** Asks before a deployment; later steps and the output read the answer, whole and in parts. */
export function scenario(answer: Scenario['answer'], options: ScenarioOptions = {}): Scenario {
  const { schema = openForm, step, timeoutMs, client = 'official' } = options
  return {
    answer,
    client,
    arguments: { service: 'café ☕' },
    workflow: {
      name: toolName,
      description: 'Asks, then deploys',
      ...(timeoutMs !== undefined && { timeoutMs }),
      parameters: { type: 'object', properties: { service: { type: 'string' } } },
      steps: [
        { id: 'ask', type: 'elicitation', message: 'Deploy {{.params.service}}?', schema, ...step },
        {
          id: 'act',
          type: 'tool',
          tool: 'ops.record',
          dependsOn: ['ask'],
          arguments: {
            action: '{{.steps.ask.output.action}}',
            content: '{{.steps.ask.output.content}}',
            text: 'content {{json .steps.ask.output.content}}',
          },
        },
      ],
      output: {
        properties: {
          action: { type: 'string', description: 'What the user did', value: '{{.steps.ask.output.action}}' },
          content: { type: 'string', description: 'The form', value: '{{json .steps.ask.output.content}}' },
          status: { type: 'string', description: 'Whether it was done', value: '{{.steps.act.status}}' },
        },
      },
    },
  }
}

/** An object with as many levels below it. */
export function nested(levels: number): JsonObject {
  return levels === 0 ? {} : { inner: nested(levels - 1) }
}
