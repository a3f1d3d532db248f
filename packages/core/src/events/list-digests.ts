import { createHash } from 'node:crypto'

import type { Identity, SubscribeOptions, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import { look } from '../verbs/look.js'
import { aboutPrompt, aboutResource, aboutTemplate, aboutTool } from '../verbs/questions.js'
import type { WatchedRooms } from './events.js'

/** A digest of each list that can change. Templates belong to the resources. */
export type ListDigests = Readonly<Record<ListName, string>>

/** A list that can change. */
export type ListName = (typeof listNames)[number]

/** The lists that can change. */
export const listNames = ['tools', 'resources', 'prompts'] as const

/** Lists without a policy are the same object for everyone: one digest serves all. */
const digests = new WeakMap<readonly unknown[], string>()

/** The digests of lists in which nothing is. */
export const emptyLists: ListDigests = { tools: digest([]), resources: digest([]) + digest([]), prompts: digest([]) }

/** Digests of what the caller would be shown now. */
export const listDigests = Effect.fnUntraced(function* (
  identity: Identity | null,
  options: SubscribeOptions,
): Effect.fn.Return<ListDigests, VmcpError, WatchedRooms> {
  const offer = yield* look(identity, options)
  const admission = yield* Admission
  const tools = yield* admission.keep(identity, offer.tools, aboutTool)
  const resources = yield* admission.keep(identity, offer.resources, aboutResource)
  const templates = yield* admission.keep(identity, offer.templates, aboutTemplate)
  const prompts = yield* admission.keep(identity, offer.prompts, aboutPrompt)
  return { tools: digest(tools), resources: digest(resources) + digest(templates), prompts: digest(prompts) }
})

function digest(list: readonly unknown[]): string {
  const known = digests.get(list)
  if (known !== undefined) return known
  const made = createHash('sha256').update(JSON.stringify(list)).digest('base64')
  digests.set(list, made)
  return made
}
