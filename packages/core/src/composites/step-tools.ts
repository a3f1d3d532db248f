import type { StepTools } from '@vmcp/composer'
import { NotFound } from '@vmcp/domain'
import type { CallOptions } from '@vmcp/domain'
import * as Effect from 'effect/Effect'

import type { View } from '../aggregator/view.js'
import type { Backends } from '../backends/backends.js'
import type { Health } from '../health/health.js'
import { parameterHeaders } from '../router/parameter-headers.js'
import { resolveToolReference } from '../router/resolve-tool-reference.js'
import type { Verb } from '../run.js'
import type { Settings } from '../settings.js'
import { callBackendTool } from '../verbs/call-backend-tool.js'

/** Runs the call of one step. */
type Run = <Result>(verb: Verb<Result, Backends | Health | Settings>, options?: CallOptions) => Promise<Result>

/** The tools of a view, for the steps of a workflow: hidden ones included, and not asked for admission. */
export function stepTools(view: View, run: Run): StepTools {
  return {
    resolve: (reference) => {
      const routed = resolveToolReference(view, reference)
      if (routed === undefined) return undefined
      const { name } = routed.item
      return routed.hidden ? { name } : { name, tool: routed.item }
    },
    call: (identity, request, options) =>
      run(
        Effect.gen(function* () {
          const routed = resolveToolReference(view, request.name)
          if (routed === undefined) return yield* Effect.fail(new NotFound('tool', request.name))
          const headers = routed.hidden ? undefined : yield* parameterHeaders(routed.item, request.arguments ?? {})
          return yield* callBackendTool(identity, { route: routed.route, call: request, headers }, options)
        }),
        options,
      ),
  }
}
