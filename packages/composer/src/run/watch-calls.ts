import type { StepTools } from '../run-request.js'

/** Tools that know whether one of them was called. */
export interface WatchedTools extends StepTools {
  readonly called: boolean
}

/** The same tools, watched: a call may have effects from the moment it is made. */
export function watchCalls(tools: StepTools): WatchedTools {
  let called = false
  return {
    resolve: (reference) => tools.resolve(reference),
    call(identity, request, options) {
      called = true
      return tools.call(identity, request, options)
    },
    get called() {
      return called
    },
  }
}
