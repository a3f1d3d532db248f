import type { ClientChannel } from '@vmcp/domain'
import type { Asker } from './asker.js'
import type { Fail } from './backend-connections.js'
import { askableClient, declaresAnything } from './backend-requests.js'
import type { BackendLimits, BackendTarget } from './backend-target.js'
import { WireFailure } from './wire-failure.js'

/** Whose calls are bounded, and by what. */
export interface CallBounds {
  readonly target: BackendTarget
  readonly limits: Required<BackendLimits>
  readonly fail: Fail
}

/**
 * Bounds the calls of one backend that no pool of sockets bounds: those of a program, and those whose client can be asked.
 * One too many is refused at once, as one that finds no place in the queue for a socket is.
 */
export function boundCalls(call: Asker['call'], { target, limits, fail }: CallBounds): Asker['call'] {
  const isProgram = target.transport === 'stdio'
  const most = isProgram ? limits.maxConnections + limits.maxWaiting : limits.maxAskable
  let inside = 0
  const counted: Asker['call'] = async (identity, question, options) => {
    if (inside >= most) throw fail(new WireFailure({ kind: 'busy' }), options?.signal)
    inside += 1
    try {
      return await call(identity, question, options)
    } finally {
      inside -= 1
    }
  }
  return (identity, question, options) => {
    return isProgram || canBeAsked(options?.client)
      ? counted(identity, question, options)
      : call(identity, question, options)
  }
}

function canBeAsked(client: ClientChannel | undefined): boolean {
  if (client?.answers === 'retry') return declaresAnything(client.capabilities)
  return askableClient(client) !== undefined
}
