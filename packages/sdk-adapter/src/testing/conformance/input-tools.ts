import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import type { ConformancePrompt, ConformanceTool } from './conformance-call.js'
import { form, roots, sampling, tool } from './conformance-call.js'
import { text, textResult } from './content.js'

const nameForm = (message: string) => form(message, { name: { type: 'string' } }, ['name'])
const confirmation = form('Please confirm', { ok: { type: 'boolean' } }, ['ok'])

/** The tools that need input from the client, under the keys that the suite looks for. */
export const inputTools: readonly ConformanceTool[] = [
  tool('test_input_required_result_elicitation', 'Greets the user', async (call) => {
    const answers = await call.ask({ user_name: nameForm('What is your name?') })
    return textResult(`Hello, ${contentOf(answers['user_name'])['name']}!`)
  }),
  tool('test_input_required_result_sampling', 'Tells what the model said', async (call) => {
    const answers = await call.ask({ capital_question: sampling('What is the capital of France?') })
    return textResult(`The model said: ${contentOf(answers['capital_question'])['text']}`)
  }),
  tool('test_input_required_result_list_roots', 'Tells the roots', async (call) => {
    const answers = await call.ask({ client_roots: roots })
    return textResult(`The roots are ${JSON.stringify(answers['client_roots']?.['roots'])}`)
  }),
  tool('test_input_required_result_request_state', 'Asks, and checks the state that comes back', async (call) => {
    await call.ask({ confirm: confirmation }, { sealed: true })
    return textResult('state-ok')
  }),
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once', async (call) => {
    const questions = {
      user_name: nameForm('What is your name?'),
      greeting: sampling('Generate a greeting', 50),
      client_roots: roots,
    }
    const answers = await call.ask(questions, { sealed: true })
    return textResult(`Answered: ${Object.keys(answers).join(', ')}`)
  }),
  tool('test_input_required_result_multi_round', 'Asks twice', async (call) => {
    const first = await call.ask({ step1: nameForm('Step 1: What is your name?') }, { sealed: true })
    const color = form('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color'])
    const second = await call.ask({ step2: color }, { sealed: true })
    return textResult(`${contentOf(first['step1'])['name']} likes ${contentOf(second['step2'])['color']}`)
  }),
  tool('test_input_required_result_tampered_state', 'Refuses a changed state', async (call) => {
    await call.ask({ confirm: confirmation }, { sealed: true })
    return textResult('The state was not changed')
  }),
  tool('test_input_required_result_capabilities', 'Asks only what the client can answer', async (call) => {
    const answers = await call.ask({
      ...('elicitation' in call.capabilities && { user_name: nameForm('What is your name?') }),
      ...('sampling' in call.capabilities && { greeting: sampling('Generate a greeting', 50) }),
    })
    return textResult(`Answered: ${Object.keys(answers).join(', ')}`)
  }),
]

/** The prompt that needs input. */
export const inputPrompt: ConformancePrompt = {
  definition: { name: 'test_input_required_result_prompt', description: 'Asks for its context' },
  get: async (call) => {
    const question = form('What context should the prompt use?', { context: { type: 'string' } }, ['context'])
    const answers = await call.ask({ user_context: question })
    const content = text(`Use this context: ${contentOf(answers['user_context'])['context']}`)
    return { messages: [{ role: 'user', content }] }
  },
}

function contentOf(answer: JsonObject | undefined): JsonObject {
  const content = answer?.['content']
  return isJsonObject(content) ? content : {}
}
