import type { ResourceTemplate } from '@vmcp/domain'

import type { Route, View } from '../aggregator/view.js'
import { parseUriTemplate } from './uri-template.js'

/**
 * Where a URI leads: the listed resource of that URI, else the template of exactly that text, else the first template in
 * code-unit order that it matches. The backend is asked for the URI itself.
 */
export function matchResource(view: View, uri: string): Route | undefined {
  const resource = view.resources.get(uri)
  if (resource !== undefined) return resource.route
  const exact = view.templates.get(uri)
  if (exact !== undefined) return exact.route
  for (const [text, { route }] of view.templates) {
    if (parseUriTemplate(text)?.matches(uri) === true) return { backendId: route.backendId, name: uri }
  }
  return undefined
}

/** The template of exactly that text, else the first in the given order that the URI matches. */
export function matchTemplate(templates: readonly ResourceTemplate[], uri: string): ResourceTemplate | undefined {
  return (
    templates.find(({ uriTemplate }) => uriTemplate === uri) ??
    templates.find(({ uriTemplate }) => parseUriTemplate(uriTemplate)?.matches(uri) === true)
  )
}
