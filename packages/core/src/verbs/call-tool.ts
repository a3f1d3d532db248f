import { NotFound } from '@vmcp/domain'
import type { CallOptions, CallToolRequest, Identity, VmcpError } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import { callComposite } from '../composites/call-composite.js'
import { parameterHeaders } from '../router/parameter-headers.js'
import { routeTool } from '../router/route-tool.js'
import type { Rooms } from '../rooms.js'
import { admit } from './admit.js'
import type { DecidedCall } from './backend-call.js'
import { callBackendTool } from './call-backend-tool.js'
import type { ToolAnswer } from './call-backend-tool.js'
import { look } from './look.js'
import { toolArguments } from './tool-arguments.js'

/** Calls a backend tool or a composite tool. The policy is asked before existence. */
export const callTool = Effect.fnUntraced(function* (
  identity: Identity | null,
  request: CallToolRequest,
  options?: CallOptions,
): Effect.fn.Return<ToolAnswer | DecidedCall<ToolAnswer>, VmcpError, Rooms> {
  const { name } = request
  const args = yield* toolArguments(request)
  const { view, toolsByName, workflows } = yield* look(identity, options)
  const tool = toolsByName.get(name)
  const annotations = tool?.annotations
  yield* admit(identity, { kind: 'tool', name, arguments: args, ...(annotations !== undefined && { annotations }) })
  if (tool === undefined) return yield* Effect.fail(new NotFound('tool', name))
  const call = { ...request, arguments: args }
  const workflow = workflows.get(name)
  if (workflow !== undefined) return yield* callComposite(identity, { view, workflow, call }, options)
  const routed = routeTool(view, name)
  if (routed === undefined) return yield* Effect.fail(new NotFound('tool', name))
  const headers = yield* parameterHeaders(tool, args)
  return yield* callBackendTool(identity, { route: routed.route, call, headers }, options)
})
