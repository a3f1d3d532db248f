import type { ClientCapabilities } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'

/**
 * What a client declared, in domain words. A bare `elicitation: {}` means form mode (2025-11-25, "Elicitation").
 * Extensions and unknown capabilities are left out: nothing is announced onward that cannot be relayed.
 */
export function readClientCapabilities(declared: unknown): ClientCapabilities {
  if (!isJsonObject(declared)) return {}
  const { elicitation, sampling, roots } = declared
  return {
    ...(isJsonObject(elicitation) && {
      elicitation: {
        form: elicitation['form'] !== undefined || elicitation['url'] === undefined,
        url: elicitation['url'] !== undefined,
      },
    }),
    ...(isJsonObject(sampling) && { sampling: { tools: sampling['tools'] !== undefined } }),
    ...(isJsonObject(roots) && { roots: true, ...(roots['listChanged'] === true && { rootsListChanged: true }) }),
  }
}
