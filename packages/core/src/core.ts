import { Cancelled, InvalidConfig, silentLogger } from '@vmcp/domain'
import type { CallOptions, VMCP, VmcpAdmin, VmcpEvents } from '@vmcp/domain'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'

import { listBackends } from './admin/list-backends.js'
import { report } from './admin/report.js'
import { closeBackends } from './backends/close-backends.js'
import { checkConfig } from './check-config.js'
import type { CoreConfig } from './core-config.js'
import { Events } from './events/events.js'
import { explain } from './explain/explain.js'
import { guardedLogger } from './guarded-logger.js'
import { Health } from './health/health.js'
import { openRooms, policyProblems } from './open-rooms.js'
import type { Rooms } from './rooms.js'
import { runPromise } from './run.js'
import type { Verb } from './run.js'
import { RunningVerbs } from './running-verbs.js'
import { callTool } from './verbs/call-tool.js'
import { complete } from './verbs/complete.js'
import { getPrompt } from './verbs/get-prompt.js'
import { listPrompts } from './verbs/list-prompts.js'
import { listResourceTemplates } from './verbs/list-resource-templates.js'
import { listResources } from './verbs/list-resources.js'
import { listTools } from './verbs/list-tools.js'
import { lookupPrompt } from './verbs/lookup-prompt.js'
import { lookupResource } from './verbs/lookup-resource.js'
import { lookupTool } from './verbs/lookup-tool.js'
import { readResource } from './verbs/read-resource.js'

/** Milliseconds that `close` gives running verbs to end by themselves. */
const graceMs = 5_000

/**
 * `createVMCP` with the surroundings it runs in: a test's clock, for example.
 * Checks everything before anything starts, and throws `InvalidConfig` with all that is wrong.
 */
export function makeCore(
  config: CoreConfig,
  surroundings: Context.Context<never> = Context.empty(),
): VMCP & VmcpAdmin & VmcpEvents {
  if (!config) throw new InvalidConfig([{ path: '', message: 'a configuration is required' }])
  const problems = checkConfig(config)
  if (problems.length > 0) throw new InvalidConfig([...problems, ...policyProblems(config)])

  const logger = guardedLogger(config.logger ?? silentLogger)
  const rooms = openRooms({ ...config, logger }, surroundings)
  const health = Context.get(rooms.context, Health)
  const events = Context.get(rooms.context, Events)
  const running = new RunningVerbs()
  const start = runPromise(rooms.context, { logger, running })
  let closing: Promise<void> | undefined

  const run = <Result>(verb: Verb<Result, Rooms>, options?: CallOptions): Promise<Result> =>
    closing === undefined ? start(verb, options) : Promise.reject(new Cancelled('the gateway is closed'))

  const shutDown = Effect.gen(function* () {
    yield* Effect.timeoutOption(running.idle, graceMs)
    running.stop()
    yield* Effect.timeoutOption(running.idle, graceMs)
    yield* rooms.close
    yield* closeBackends(config.backends, logger)
  })

  return {
    listTools: (identity, options) => run(listTools(identity, options), options),
    callTool: (identity, request, options) => run(callTool(identity, request, options), options),
    listResources: (identity, options) => run(listResources(identity, options), options),
    listResourceTemplates: (identity, options) => run(listResourceTemplates(identity, options), options),
    readResource: (identity, request, options) => run(readResource(identity, request, options), options),
    listPrompts: (identity, options) => run(listPrompts(identity, options), options),
    getPrompt: (identity, request, options) => run(getPrompt(identity, request, options), options),
    complete: (identity, request, options) => run(complete(identity, request, options), options),
    lookupTool: (identity, name, options) => run(lookupTool(identity, name, options), options),
    lookupResource: (identity, uri, options) => run(lookupResource(identity, uri, options), options),
    lookupPrompt: (identity, name, options) => run(lookupPrompt(identity, name, options), options),
    close: () => (closing ??= Effect.runPromiseWith(surroundings)(shutDown)),

    listAllBackends: () => health.statuses(),
    listBackends: (identity, options) => run(listBackends(identity, options), options),
    report: (identity, options) => run(report(identity, options), options),
    explain: (identity, subject, options) => run(explain(identity, subject, options), options),

    subscribe: (identity, listener, options) => events.subscribe(identity, listener, options),
    rootsChanged: (identity, client, options) => events.rootsChanged(identity, client, options),
  }
}
