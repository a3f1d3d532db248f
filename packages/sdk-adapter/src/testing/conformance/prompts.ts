import type { JsonObject } from '@vmcp/domain'
import type { ConformancePrompt } from './conformance-call.js'
import { embedded, image, text } from './content.js'
import { inputPrompt } from './input-tools.js'

/** Every prompt that the suite asks for. */
export const prompts: readonly ConformancePrompt[] = [
  prompt('test_simple_prompt', 'Says one thing', [], () => [text('This is a simple prompt for testing.')]),
  prompt('test_prompt_with_arguments', 'Says its arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]),
  prompt('test_prompt_with_embedded_resource', 'Shows a resource', ['resourceUri'], ({ resourceUri }) => [
    embedded(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ]),
  prompt('test_prompt_with_image', 'Shows an image', [], () => [image, text('Please analyze the image above.')]),
  inputPrompt,
]

/** The prompt that comes and goes. */
export const changingPrompt = prompt('test_changing_prompt', 'Comes and goes', [], () => [text('Here for now')])

function prompt(
  name: string,
  description: string,
  required: readonly string[],
  blocks: (given: JsonObject) => readonly JsonObject[],
): ConformancePrompt {
  const named = required.map((argument) => ({ name: argument, description: `The ${argument}`, required: true }))
  return {
    definition: { name, description, ...(named.length > 0 && { arguments: named }) },
    get: (call) => ({ messages: blocks(call.arguments).map((content) => ({ role: 'user', content })) }),
  }
}
