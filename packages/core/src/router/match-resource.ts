import type { ResourceTemplate } from '@vmcp/domain'

import type { Route, View } from '../aggregator/view.js'
import { parseUriTemplate } from './uri-template.js'

/**
 * Steps of work that the templates of one backend may cost for one URI, some milliseconds: a backend with thousands of
 * awkward templates must not hold up everybody. What is over the limit does not match.
 */
const patience = 2_000_000

/**
 * Where a URI leads: the listed resource of that URI, else the template of exactly that text, else the first template in
 * code-unit order that it matches. The backend is asked for the URI itself.
 */
export function matchResource(view: View, uri: string): Route | undefined {
  const resource = view.resources.get(uri)
  if (resource !== undefined) return resource.route
  const exact = view.templates.get(uri)
  if (exact !== undefined) return exact.route
  const matched = firstMatch(view.templates.values(), uri, ({ route }) => route)
  return matched === undefined ? undefined : { backendId: matched.route.backendId, name: uri }
}

/** The template of exactly that text, else the first in the given order that the URI matches. */
export function matchTemplate(templates: readonly ResourceTemplate[], uri: string): ResourceTemplate | undefined {
  return (
    templates.find(({ uriTemplate }) => uriTemplate === uri) ??
    firstMatch(templates, uri, ({ uriTemplate, backendId = '' }) => ({ backendId, name: uriTemplate }))
  )
}

function firstMatch<Candidate>(
  candidates: Iterable<Candidate>,
  uri: string,
  routeOf: (candidate: Candidate) => Route,
): Candidate | undefined {
  const spent = new Map<string, number>()
  for (const candidate of candidates) {
    const { backendId, name } = routeOf(candidate)
    const template = parseUriTemplate(name)
    if (template === undefined || !uri.startsWith(template.prefix)) continue
    const cost = (spent.get(backendId) ?? 0) + template.weight * uri.length
    if (cost > patience) continue
    spent.set(backendId, cost)
    if (template.matches(uri)) return candidate
  }
  return undefined
}
