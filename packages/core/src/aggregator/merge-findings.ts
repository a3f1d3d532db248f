import type { Finding, Prompt, Tool } from '@vmcp/domain'

import { parseUriTemplate } from '../router/uri-template.js'
import type { Placed } from './claim.js'
import type { Namer } from './names/namer.js'
import { compareText } from './order.js'
import type { View } from './view.js'

/** The finding of a name that the policy had to change, if it had to. */
export function findRepairedName(kind: 'tool' | 'prompt', place: Placed<Tool | Prompt>): readonly Finding[] {
  if (!place.repaired) return []
  const message = `clients would refuse its name; it is called "${place.advertisedAs}"`
  return [{ reason: 'name-repaired', kind, ...whatIs(place), message }]
}

/** The finding of a tool that a setting hides. */
export function findHidden(place: Placed, message: string): Finding {
  return { reason: 'hidden', kind: 'tool', ...whatIs(place), message }
}

/** The backends whose ids the policy had to change where they stand in names. */
export function findRepairedWorkloads(placed: readonly Placed<Tool | Prompt>[], namer: Namer): readonly Finding[] {
  const backendIds = new Set(placed.filter(({ repaired }) => repaired).map(({ claim }) => claim.backendId))
  return [...backendIds].flatMap((backendId): readonly Finding[] => {
    const { advertisedAs, repaired } = namer.workload(backendId)
    if (!repaired) return []
    const message = `clients would refuse the backend's id in names; it is "${advertisedAs}" there`
    return [{ reason: 'name-repaired', kind: 'backend', subject: backendId, backendId, advertisedAs, message }]
  })
}

/** The templates that no URI can match. */
export function findUnreadableTemplates(templates: View['templates']): readonly Finding[] {
  const unreadable = [...templates].filter(([text]) => parseUriTemplate(text) === undefined)
  return unreadable.map(([subject, { route }]): Finding => {
    const message = 'it is no RFC 6570 template; it is listed, but no URI matches it'
    return { reason: 'invalid-schema', kind: 'template', subject, backendId: route.backendId, message }
  })
}

/** By backend, then kind, then subject. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (left, right) =>
      compareText(left.backendId ?? '', right.backendId ?? '') ||
      compareText(left.kind, right.kind) ||
      compareText(left.subject, right.subject) ||
      compareText(left.reason, right.reason) ||
      compareText(left.message, right.message),
  )
}

function whatIs({ claim, advertisedAs }: Placed<Tool | Prompt>) {
  return { subject: claim.ownName, backendId: claim.backendId, advertisedAs }
}
