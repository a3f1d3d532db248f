import type { JsonObject } from '@vmcp/domain'
import { InvalidInput } from '@vmcp/domain'
import { logLevels } from '../client-channel.js'
import { readText } from '../wire/from-wire.js'
import { rpcCode } from '../wire/json-rpc.js'
import { ProtocolError } from '../wire/protocol-error.js'
import type { Session } from './session.js'
import type { SessionChanges } from './session-changes.js'
import type { VerbCall } from '../verbs.js'

/** A method that only sessions have. */
export type SessionMethod = (session: Session, call: VerbCall) => JsonObject | Promise<JsonObject>

/** The methods of 2025-11-25 that change or ask the session itself. */
export const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map<string, SessionMethod>([
  ['ping', () => ({})],
  [
    'logging/setLevel',
    (session, { params }) => {
      const level = readText(params, 'level')
      if (!logLevels.includes(level))
        throw new InvalidInput(`level must be one of ${logLevels.join(', ')}`, { field: 'level' })
      session.logLevel = level
      return {}
    },
  ],
  [
    'resources/subscribe',
    async (session, { vmcp, identity, params, options }) => {
      const changes = requireChanges(session)
      const uri = readText(params, 'uri')
      await vmcp.lookupResource(identity, uri, options)
      changes.watch(uri)
      return {}
    },
  ],
  [
    'resources/unsubscribe',
    (session, { params }) => {
      requireChanges(session).unwatch(readText(params, 'uri'))
      return {}
    },
  ],
])

function requireChanges({ changes }: Session): SessionChanges {
  if (changes === undefined) throw new ProtocolError(rpcCode.methodNotFound, 'Method not found', { status: 200 })
  return changes
}
