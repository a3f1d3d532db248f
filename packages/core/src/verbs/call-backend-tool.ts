import type {
  BackendUnavailable,
  CallOptions,
  CallToolRequest,
  CallToolResult,
  Identity,
  InputRequired,
} from '@vmcp/domain'
import type * as Effect from 'effect/Effect'

import type { Route } from '../aggregator/view.js'
import type { Backends } from '../backends/backends.js'
import type { Health } from '../health/health.js'
import type { Settings } from '../settings.js'
import type { DecidedCall } from './backend-call.js'
import { reachBackend } from './reach-backend.js'
import { relaying, requestMeta } from './relayed.js'
import { retryFields } from './retry-fields.js'

/** A call whose way to a backend is known. */
export interface BackendToolCall {
  readonly route: Route
  /** As the caller wrote it: its name is the advertised one. */
  readonly call: CallToolRequest
  /** `Mcp-Param-*` headers made from the arguments. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What a backend's tool may answer. */
export type ToolAnswer = CallToolResult | InputRequired

/** The call of a tool at its backend, by the backend's own name. */
export function callBackendTool(
  identity: Identity | null,
  { route, call, headers }: BackendToolCall,
  options?: CallOptions,
): Effect.Effect<DecidedCall<ToolAnswer>, BackendUnavailable, Backends | Health | Settings> {
  const { backendId, name } = route
  const request: CallToolRequest = {
    name,
    arguments: call.arguments ?? {},
    ...requestMeta(call.meta),
    ...retryFields(call),
  }
  return reachBackend<ToolAnswer, ToolAnswer>(
    {
      backendId,
      list: 'content',
      parameterHeaders: headers,
      ask: (client, backendOptions) => client.callTool?.(identity, request, backendOptions),
      read: relaying(backendId, { kind: 'tool', name: call.name }),
    },
    options,
  )
}
