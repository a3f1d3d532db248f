import { NotFound } from '@vmcp/domain'
import type { CallOptions, Identity, Resource, ResourceTemplate, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { Admission } from '../admission/admission.js'
import { matchTemplate } from '../router/match-resource.js'
import type { Rooms } from '../rooms.js'
import { look } from './look.js'
import { aboutResource, aboutTemplate } from './questions.js'

/** The listed resource of that URI, else the first listed template that equals or matches it, as a resource. */
export const lookupResource = Effect.fnUntraced(function* (
  identity: Identity | null,
  uri: string,
  options?: CallOptions,
): Effect.fn.Return<Resource, VmcpError, Rooms> {
  const { view, templates } = yield* look(identity, options)
  const admission = yield* Admission
  const resource = view.resources.get(uri)?.item
  if (resource !== undefined && (yield* admission.decide(identity, aboutResource(resource))).allowed) return resource
  const admitted = yield* admission.keep(identity, templates, aboutTemplate)
  const template = matchTemplate(admitted, uri)
  if (template === undefined) return yield* Effect.fail(new NotFound('resource', uri))
  return asResource(template)
})

function asResource({ uriTemplate, ...template }: ResourceTemplate): Resource {
  return { ...template, uri: uriTemplate }
}
