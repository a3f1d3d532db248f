import type { VMCP } from '@vmcp/domain'
import { isJsonObject, silentLogger } from '@vmcp/domain'
import type { EndpointConfig } from './endpoint-config.js'
import { describeFailure } from './error-table.js'
import { classify } from './era.js'
import type { Exchange } from './exchange.js'
import { errorText, readMessage } from './wire/json-rpc.js'
import { ProtocolError } from './wire/protocol-error.js'
import { createResultWriter } from './wire/result-writer.js'
import { createSessionEndpoint } from './session/session-endpoint.js'
import { createStatelessEndpoint } from './stateless/stateless-endpoint.js'

/** One MCP endpoint for clients of both eras, whatever carries the exchanges. */
export interface Endpoint {
  /** Serves one exchange to its end. Never rejects: every outcome is answered through the responder. */
  handle(exchange: Exchange): Promise<void>
  /** Ends the streams that only wait for changes, so that what is left will end by itself. */
  endStreams(): void
  /** Ends every session and stream and cancels what runs. It leaves the `VMCP` open: whoever made it closes it. */
  close(): Promise<void>
}

/** Puts a `VMCP` behind the Model Context Protocol. The body decides the era, never a header alone. */
export function createEndpoint(vmcp: VMCP, config: EndpointConfig): Endpoint {
  const common = { vmcp, config, pageSize: config.pageSize ?? 1000, logger: config.logger ?? silentLogger }
  const sessions = createSessionEndpoint({ ...common, writer: createResultWriter('2025', config.serverInfo) })
  const stateless = createStatelessEndpoint({ ...common, writer: createResultWriter('2026', config.serverInfo) })

  return {
    handle: (exchange) => {
      try {
        return serve(exchange)?.catch((error: unknown) => refuse(exchange, error)) ?? done
      } catch (error) {
        refuse(exchange, error)
        return done
      }
    },
    endStreams,
    close: async () => {
      endStreams()
      await sessions.close()
    },
  }

  function endStreams(): void {
    stateless.endStreams()
    sessions.endStreams()
  }

  function serve(exchange: Exchange): Promise<void> | undefined {
    if (exchange.kind === 'listen') return sessions.listen(exchange)
    if (exchange.kind === 'end') return sessions.end(exchange)
    const message = readMessage(exchange.message)
    const classification = classify(message, exchange.headers)
    if (classification.era === '2025') return sessions.message(exchange, message)
    if (message.type === 'request') return stateless.request(exchange, message, classification.envelope)
    exchange.responder.json(202)
    return undefined
  }

  function refuse(exchange: Exchange, error: unknown): void {
    const failure = describeFailure(error, { era: '2025', method: '' })
    const refusal = error instanceof ProtocolError ? error : undefined
    if (refusal === undefined) common.logger.warn('an exchange was refused', { error: String(error) })
    const text = errorText(refusal === undefined ? requestIdOf(exchange) : refusal.requestId, failure.error)
    exchange.responder.json(failure.status, text, refusal?.headers)
  }
}

/** What is over already. */
const done = Promise.resolve()

function requestIdOf(exchange: Exchange): string | number | undefined {
  if (exchange.kind !== 'message') return undefined
  const id = isJsonObject(exchange.message) ? exchange.message['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
