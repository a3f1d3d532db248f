import * as z from 'zod'
import { durationFromZero, positiveDuration } from '../duration.js'
import { jsonObject, nonEmptyText, oneOf, optional, section, text, wholeNumber } from '../fields.js'
import { toolAnnotations } from './aggregation.js'

const onError = section({
  action: optional(oneOf('abort', 'continue', 'retry')).describe(
    'abort (the default): the tool fails. continue: the other steps go on. retry: the step is tried again.',
  ),
  retryCount: optional(wholeNumber(0)).describe('For retry: attempts after the first, at most 10.'),
  retryDelay: optional(durationFromZero).describe(
    'For retry: time before the second attempt; it grows. 1s when absent.',
  ),
})

const onRefusal = section({
  action: oneOf('abort', 'continue', 'skip_remaining').describe(
    'abort: the tool fails. continue: it goes on. skip_remaining: it ends well without the steps that have not run.',
  ),
})

const innerStep = section({
  id: optional(nonEmptyText).describe('A name for messages.'),
  type: optional(oneOf('tool')).describe('Only tool steps can be repeated.'),
  tool: nonEmptyText.describe('The tool to call for each item.'),
  arguments: optional(jsonObject).describe(
    'Its arguments. Texts are templates; .forEach holds the item and its index.',
  ),
  onError: optional(onError).describe('What to do when the call for one item fails.'),
})

const step = section({
  id: nonEmptyText.describe('Unique in the tool. Other steps name it in dependsOn and in templates.'),
  type: optional(oneOf('tool', 'elicitation', 'forEach')).describe('Follows from the other fields when absent.'),
  tool: optional(nonEmptyText).describe(
    "tool: an advertised name, or backend.tool with the backend's own name. Hidden tools may be used.",
  ),
  arguments: optional(jsonObject).describe('tool: the arguments. Texts are templates.'),
  condition: optional(text).describe('A template that renders true or false. On false the step is skipped.'),
  message: optional(text).describe('elicitation: what the user reads. A template.'),
  schema: optional(jsonObject).describe('elicitation: the form, a JSON Schema object of simple properties.'),
  timeout: optional(positiveDuration).describe('Time for the step, retries included; 5m when absent.'),
  dependsOn: optional(z.array(nonEmptyText, 'expected a list of step ids')).describe(
    'Steps that must end first. Without any, the step starts at once.',
  ),
  onError: optional(onError).describe('What to do when the step fails.'),
  onDecline: optional(onRefusal).describe('elicitation: what to do when the user declines; abort when absent.'),
  onCancel: optional(onRefusal).describe(
    'elicitation: what to do on a cancel or no answer in time; abort when absent.',
  ),
  defaultResults: optional(jsonObject).describe(
    'The output of the step when it is skipped, or fails while onError continues.',
  ),
  collection: optional(text).describe('forEach: a template that renders a JSON array.'),
  itemVar: optional(nonEmptyText).describe('forEach: the name of the item under .forEach; item when absent.'),
  maxParallel: optional(wholeNumber(0, 50)).describe('forEach: calls at one time; 10 when absent or 0.'),
  maxIterations: optional(wholeNumber(0, 1000)).describe('forEach: items at most; 100 when absent or 0.'),
  step: optional(innerStep).describe('forEach: what to do for each item.'),
}).meta({ anyOf: ['tool', 'message', 'collection'].map((field) => ({ required: [field] })) })

/** A step of the file. */
export type StepSection = z.infer<typeof step>

/** What to do when a step of the file fails. */
export type OnErrorSection = z.infer<typeof onError>

const output = section({
  properties: jsonObject.meta({ additionalProperties: { $ref: '#/$defs/outputProperty' } }).describe('By name.'),
  required: optional(z.array(text, 'expected a list of property names')).describe(
    'Properties without which the tool fails.',
  ),
})

/** A composite tool of the file. Its output is checked by the composer, which knows the rules. */
export const compositeTool = section({
  name: nonEmptyText.describe('The name it is advertised by. No backend tool may have it.'),
  description: nonEmptyText.describe('What it does: models read this.'),
  parameters: optional(jsonObject).describe(
    'A JSON Schema of type object for the arguments. They are checked, and defaults are applied.',
  ),
  timeout: optional(positiveDuration).describe('Time for the whole run; 30m when absent.'),
  steps: z
    .array(step, 'expected a list of steps')
    .min(1, 'expected at least one step')
    .describe('What it does. Steps that do not depend on each other run in parallel.'),
  output: optional(output).describe('How its result is made. Absent: the output of the step that completed last.'),
  annotations: optional(toolAnnotations).describe('Hints for clients. They may not look safer than the steps.'),
})

/** A composite tool of the file. */
export type CompositeToolSection = z.infer<typeof compositeTool>
