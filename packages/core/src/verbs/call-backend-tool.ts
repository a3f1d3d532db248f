import { NotFound } from '@vmcp/domain'
import type { CallOptions, CallToolRequest, CallToolResult, Identity, InputRequired, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { Route } from '../aggregator/view.js'
import type { Backends } from '../backends/backends.js'
import type { Health } from '../health/health.js'
import type { Settings } from '../settings.js'
import { reachBackend } from './reach-backend.js'
import { relayed, requestMeta } from './relayed.js'
import { retryFields } from './retry-fields.js'

/** A call whose way to a backend is known. */
export interface BackendToolCall {
  readonly route: Route
  /** As the caller wrote it: its name is the advertised one. */
  readonly call: CallToolRequest
  /** `Mcp-Param-*` headers made from the arguments. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Calls a tool at its backend, by the backend's own name. */
export const callBackendTool = Effect.fnUntraced(function* (
  identity: Identity | null,
  { route, call, headers }: BackendToolCall,
  options?: CallOptions,
): Effect.fn.Return<CallToolResult | InputRequired, VmcpError, Backends | Health | Settings> {
  const { backendId, name } = route
  const request: CallToolRequest = {
    name,
    arguments: call.arguments ?? {},
    ...requestMeta(call.meta),
    ...retryFields(call),
  }
  const result = yield* reachBackend({ backendId, list: 'content' }, options, (client, backendOptions) =>
    client.callTool?.(
      identity,
      request,
      headers === undefined ? backendOptions : { ...backendOptions, parameterHeaders: headers },
    ),
  )
  if (result === undefined) return yield* Effect.fail(new NotFound('tool', call.name))
  return relayed(result, backendId)
})
