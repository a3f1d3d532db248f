import { workflowResult } from '@vmcp/composer'
import { isVmcpError } from '@vmcp/domain'
import type {
  CallOptions,
  CallToolRequest,
  CallToolResult,
  Identity,
  InputRequired,
  VmcpError,
  Workflow,
} from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { View } from '../aggregator/view.js'
import type { Backends } from '../backends/backends.js'
import type { Health } from '../health/health.js'
import { runPromise } from '../run.js'
import { Settings } from '../settings.js'
import { retryFields } from '../verbs/retry-fields.js'
import { Composites } from './composites.js'
import { stepTools } from './step-tools.js'

/** A call of a composite tool, in the view that offers it. */
export interface CompositeCall {
  readonly view: View
  readonly workflow: Workflow
  readonly call: CallToolRequest
}

/**
 * Runs a composite tool. A workflow that fails is a result with `isError`. The call's metadata ends here: it is not
 * forwarded to the steps.
 */
export const callComposite = Effect.fnUntraced(function* (
  identity: Identity | null,
  { view, workflow, call }: CompositeCall,
  options?: CallOptions,
): Effect.fn.Return<CallToolResult | InputRequired, VmcpError, Backends | Composites | Health | Settings> {
  const { composer } = yield* Composites
  const { logger } = yield* Settings
  const run = runPromise(yield* Effect.context<Backends | Health | Settings>(), { logger })
  const request = {
    workflow,
    tools: stepTools(view, run),
    arguments: call.arguments ?? {},
    ...retryFields(call),
  }
  const outcome = yield* Effect.tryPromise({
    try: (signal) => composer.run(identity, request, { ...options, signal }),
    catch: (error) => error,
  }).pipe(Effect.catch((error) => (isVmcpError(error) ? Effect.fail(error) : Effect.die(error))))
  return workflowResult(outcome)
})
