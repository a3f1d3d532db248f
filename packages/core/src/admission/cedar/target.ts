import type { JsonObject, ToolAnnotations } from '@vmcp/domain'
import type { CedarValueJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'

import type { Question } from '../question.js'
import { cedarValue, isScalar } from './cedar-value.js'
import type { Mentions } from './mentions.js'

type Attributes = Readonly<Record<string, CedarValueJson>>

/** What a question is about, in Cedar's terms. */
export interface Target {
  readonly action: TypeAndId
  readonly resource: TypeAndId
  /** The resource's attributes that a policy mentions. */
  readonly attributes: Attributes
  /** `arg_<key>` for a scalar argument, `arg_<key>_present` for another: attributes of the resource, and of the context. */
  readonly parameters: Attributes
  /** True for a tool. */
  readonly takesArguments: boolean
  /** All of the above as text: equal for questions that no policy can tell apart. */
  readonly key: string
}

/** Translates a question. Annotations come from a backend: they never stand in for an attribute of ours. */
export function targetOf(question: Question, mentions: Mentions): Target {
  const { action, resource, attributes } = factsOf(question)
  const tool = question.kind === 'tool' ? question : undefined
  const parameters = mentioned(argumentAttributes(tool?.arguments ?? {}), mentions)
  const all = mentioned({ ...hints(tool?.annotations), ...parameters, ...attributes }, mentions)
  return {
    action: { type: 'Action', id: action },
    resource,
    attributes: all,
    parameters,
    takesArguments: tool !== undefined,
    key: JSON.stringify([action, resource.id, all, parameters]),
  }
}

function factsOf(question: Question): { action: string; resource: TypeAndId; attributes: Attributes } {
  switch (question.kind) {
    case 'tool':
      return facts('call_tool', { type: 'Tool', id: question.name }, { operation: 'call', feature: 'tool' })
    case 'prompt':
      return facts('get_prompt', { type: 'Prompt', id: question.name }, { operation: 'get', feature: 'prompt' })
    case 'resource': {
      const { uri } = question
      return facts('read_resource', { type: 'Resource', id: uri }, { uri, operation: 'read', feature: 'resource' })
    }
  }
}

function facts(action: string, resource: TypeAndId, attributes: Attributes) {
  return { action, resource, attributes: { ...attributes, name: resource.id } }
}

const hintNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

function hints(annotations: ToolAnnotations | undefined): Attributes {
  const attributes: Record<string, CedarValueJson> = {}
  for (const name of annotations === undefined ? [] : hintNames) {
    const hint = annotations?.[name]
    if (typeof hint === 'boolean') attributes[name] = hint
  }
  return attributes
}

/** Markers last: an argument named `x_present` must not pass for the marker of `x`. */
function argumentAttributes(parameters: JsonObject): Attributes {
  const scalars: Record<string, CedarValueJson> = {}
  const markers: Record<string, CedarValueJson> = {}
  for (const [key, argument] of Object.entries(parameters)) {
    const value = isScalar(argument) ? cedarValue(argument) : undefined
    if (value === undefined) markers[`arg_${key}_present`] = true
    else scalars[`arg_${key}`] = value
  }
  return { ...scalars, ...markers }
}

function mentioned(attributes: Attributes, mentions: Mentions): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => mentions.attribute(name)))
}
