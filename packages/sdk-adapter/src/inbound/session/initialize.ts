import type { JsonObject } from '@vmcp/domain'
import { readClientCapabilities } from '../wire/client-capabilities.js'
import type { EndpointConfig } from '../endpoint-config.js'
import type { Exchange } from '../exchange.js'
import { readText } from '../wire/from-wire.js'
import { latestSessionVersion, sessionVersions } from '../wire/protocol-versions.js'
import type { SessionClient } from './session.js'

/**
 * Answers `initialize`: the client's own revision when it is spoken here, else the latest one with sessions.
 * All kinds are announced, as capabilities cannot be added later; changes only when something tells of them.
 */
export function initialize(
  params: JsonObject,
  { identity, forwardedHeaders }: Exchange,
  { serverInfo, instructions, events }: EndpointConfig,
): { readonly client: SessionClient; readonly result: JsonObject } {
  const requested = readText(params, 'protocolVersion')
  const protocolVersion = sessionVersions.includes(requested) ? requested : latestSessionVersion
  const changes = events === undefined ? {} : { listChanged: true }
  return {
    client: {
      identity,
      protocolVersion,
      capabilities: readClientCapabilities(params['capabilities']),
      forwardedHeaders,
    },
    result: {
      protocolVersion,
      capabilities: {
        logging: {},
        completions: {},
        tools: changes,
        resources: events === undefined ? {} : { subscribe: true, ...changes },
        prompts: changes,
      },
      serverInfo,
      ...(instructions !== undefined && { instructions }),
    },
  }
}
