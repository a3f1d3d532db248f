import type { ElicitationRequest, ElicitationResult } from '@vmcp/domain'
import { formFields, type FormField } from './form-field.js'

/** The side of a terminal that a form needs. */
export interface FormTerminal {
  error(line: string): void
  /** Asks for a line; `undefined` when there is none to come. */
  ask(question: string): Promise<string | undefined>
}

type Refusal = Extract<ElicitationResult['action'], 'decline' | 'cancel'>

/**
 * Asks the user for a form, field by field; what does not fit is asked again.
 * The end of the input cancels, and so does `:cancel`; `:decline` declines.
 */
export async function askForm(request: ElicitationRequest, terminal: FormTerminal): Promise<ElicitationResult> {
  const fields = formFields(request.requestedSchema)
  terminal.error(`\n  ${request.message}`)
  if (fields.length === 0) return { action: await askConsent(terminal) }
  terminal.error('  (:decline or :cancel instead of an answer ends the form)')
  const content: Record<string, unknown> = {}
  for (const field of fields) {
    const answer = await askField(field, terminal)
    if ('refusal' in answer) return { action: answer.refusal }
    if (answer.value !== undefined) content[field.name] = answer.value
  }
  return { action: 'accept', content }
}

/** The value of a field, `undefined` when it is left out; or that the user refuses. */
async function askField(
  field: FormField,
  terminal: FormTerminal,
): Promise<{ readonly value: unknown } | { readonly refusal: Refusal }> {
  for (;;) {
    const line = (await terminal.ask(field.question))?.trim()
    if (line === undefined || line === ':cancel') return { refusal: 'cancel' }
    if (line === ':decline') return { refusal: 'decline' }
    if (line !== '') {
      const read = field.read(line)
      if ('value' in read) return read
      terminal.error(`  ${read.problem}`)
    } else if (field.default !== undefined || !field.required) {
      return { value: field.default }
    } else {
      terminal.error('  an answer is required')
    }
  }
}

async function askConsent(terminal: FormTerminal): Promise<ElicitationResult['action']> {
  for (;;) {
    const line = (await terminal.ask('  accept, decline or cancel? '))?.trim().toLowerCase().replace(/^:/, '')
    if (line === undefined) return 'cancel'
    const actions = (['accept', 'decline', 'cancel'] as const).filter(
      (action) => line !== '' && action.startsWith(line),
    )
    if (actions[0] !== undefined) return actions[0]
  }
}
