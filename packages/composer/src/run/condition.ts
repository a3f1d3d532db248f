import type { WorkflowStep } from '@vmcp/domain'
import { parseOnce } from '../parse-once.js'
import { renderTemplate } from '../template/template.js'
import type { TemplateData } from '../template/template.js'

/** Whether a step runs. No condition is true. Throws when the text is neither `true` nor `false`. */
export function evaluateCondition(step: WorkflowStep, data: TemplateData): boolean {
  const { condition } = step
  if (condition === undefined || condition === '') return true
  const rendered = renderTemplate(parseOnce(step, condition), data)
  if (['true', 'True', 'TRUE'].includes(rendered)) return true
  if (['false', 'False', 'FALSE'].includes(rendered)) return false
  throw new ConditionNotBoolean(rendered.length)
}

/** A condition that rendered something else. The text stays out of the message: it may hold an argument. */
class ConditionNotBoolean extends Error {
  constructor(length: number) {
    super(`condition must evaluate to 'true' or 'false', got: text of ${length} characters`)
    this.name = 'ConditionNotBoolean'
  }
}
