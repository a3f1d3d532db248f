import type { JsonObject } from '@vmcp/domain'
import type { ConformanceCall, ConformanceTool, Question } from './conformance-call.js'
import { form, sampling, tool } from './conformance-call.js'
import { textResult } from './content.js'

/** The tools that ask once, and tell what was answered. */
export const questionTools: readonly ConformanceTool[] = [
  tool(
    'test_sampling',
    'Asks the model of the client',
    async (call) => {
      const answer = await askOne(call, sampling(String(call.arguments['prompt'])))
      return textResult(`LLM response: ${textOf(answer)}`)
    },
    { prompt: { type: 'string', description: 'The prompt for the model' } },
  ),
  tool(
    'test_elicitation',
    'Asks the user for a name and an address',
    async (call) => {
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }
      const answer = await askOne(call, form(String(call.arguments['message']), properties, Object.keys(properties)))
      return textResult(`User response: ${JSON.stringify(answer)}`)
    },
    { message: { type: 'string', description: 'What the user is shown' } },
  ),
  tool('test_elicitation_sep1034_defaults', 'Asks the user, with a default for every type', async (call) => {
    const properties = {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }
    return completed(await askOne(call, form('Please review the defaults', properties, [])))
  }),
  tool('test_elicitation_sep1330_enums', 'Asks the user to choose, in every form of a choice', async (call) => {
    return completed(await askOne(call, form('Please choose', choices, [])))
  }),
  tool('test_streaming_elicitation', 'Reports progress, then asks the user', async (call) => {
    await call.reportProgress(1, 2)
    return completed(await askOne(call, form('Please confirm', { ok: { type: 'boolean' } }, ['ok'])))
  }),
]

const plain = ['option1', 'option2', 'option3']
const titled = (kind: string) =>
  ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${kind}` }))

const choices: JsonObject = {
  untitledSingle: { type: 'string', enum: plain },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
}

async function askOne(call: ConformanceCall, question: Question): Promise<JsonObject> {
  const { answer = {} } = await call.ask({ answer: question })
  return answer
}

function completed(answer: JsonObject): JsonObject {
  const content = JSON.stringify(answer['content'] ?? {})
  return textResult(`Elicitation completed: action=${String(answer['action'])}, content=${content}`)
}

function textOf(answer: JsonObject): string {
  const [content] = [answer['content']].flat() as readonly (JsonObject | undefined)[]
  return String(content?.['text'])
}
