import * as z from 'zod'
import { duration, positiveDuration } from '../duration.js'
import { jsonObject, nonEmptyText, oneOf, optional, section, text, wholeNumber } from '../fields.js'
import { toolAnnotations } from './aggregation.js'

const onError = section({
  action: optional(oneOf('abort', 'continue', 'retry')),
  retryCount: optional(wholeNumber(0)),
  retryDelay: optional(duration),
})
const onRefusal = section({ action: oneOf('abort', 'continue', 'skip_remaining') })

const innerStep = section({
  id: optional(nonEmptyText),
  type: optional(oneOf('tool')),
  tool: nonEmptyText,
  arguments: optional(jsonObject),
  onError: optional(onError),
})

const step = section({
  id: nonEmptyText,
  type: optional(oneOf('tool', 'elicitation', 'forEach')),
  tool: optional(nonEmptyText),
  arguments: optional(jsonObject),
  condition: optional(text),
  message: optional(text),
  schema: optional(jsonObject),
  timeout: optional(positiveDuration),
  dependsOn: optional(z.array(nonEmptyText, 'expected a list of step ids')),
  onError: optional(onError),
  onDecline: optional(onRefusal),
  onCancel: optional(onRefusal),
  defaultResults: optional(jsonObject),
  collection: optional(text),
  itemVar: optional(nonEmptyText),
  maxParallel: optional(wholeNumber(0, 50)),
  maxIterations: optional(wholeNumber(0, 1000)),
  step: optional(innerStep),
})

/** A step of the file. */
export type StepSection = z.infer<typeof step>

/** What to do when a step of the file fails. */
export type OnErrorSection = z.infer<typeof onError>

/** A composite tool of the file. Its output is checked by the composer, which knows the rules. */
export const compositeTool = section({
  name: nonEmptyText,
  description: nonEmptyText,
  parameters: optional(jsonObject),
  timeout: optional(positiveDuration),
  steps: z.array(step, 'expected a list of steps').min(1, 'expected at least one step'),
  output: optional(
    section({
      properties: jsonObject,
      required: optional(z.array(text, 'expected a list of property names')),
    }),
  ),
  annotations: optional(toolAnnotations),
})

/** A composite tool of the file. */
export type CompositeToolSection = z.infer<typeof compositeTool>
