import type { CallOptions } from '@vmcp/domain'
import { isVmcpError } from '@vmcp/domain'
import { answerFailure } from '../answer-failure.js'
import type { CallAnswer } from '../call-answer.js'
import { createCallAnswer } from '../call-answer.js'
import { createRetryChannel } from '../client-channel.js'
import { createDiscover } from './discover.js'
import type { EndpointContext } from '../endpoint-config.js'
import type { Envelope } from '../era.js'
import type { JsonText, MessageExchange } from '../exchange.js'
import { readProgressToken, readText } from '../wire/from-wire.js'
import type { RequestMessage } from '../wire/json-rpc.js'
import { resultText, rpcCode } from '../wire/json-rpc.js'
import { checkParameterHeaders } from './parameter-headers.js'
import { ProtocolError } from '../wire/protocol-error.js'
import { createSubscriptions } from './subscriptions.js'
import { verbs } from '../verbs.js'

/** Serves requests that stand alone (2026-07-28). Nothing is remembered from one to the next. */
export interface StatelessEndpoint {
  request(exchange: MessageExchange, request: RequestMessage, envelope: Envelope): Promise<void>
  /** Ends the subscription streams with their results. */
  endStreams(): void
}

const headers = { 'cache-control': 'private, no-store' }

/** Makes the endpoint of the stateless era. */
export function createStatelessEndpoint(context: EndpointContext): StatelessEndpoint {
  const { vmcp, config, logger } = context
  const known = new Map([...verbs, ['server/discover', createDiscover(config)] as const])
  const subscriptions = createSubscriptions(context)

  return {
    request: async (exchange, request, envelope) => {
      const { responder, acceptsStream, signal } = exchange
      const openStream = () => {
        const stream = responder.stream()
        return { send: (data: string) => stream.send({ data }), end: () => stream.end() }
      }
      const answer = createCallAnswer(responder, { acceptsStream, headers, openStream })
      try {
        if (request.method === 'subscriptions/listen') {
          return await subscriptions.listen(request, { ...exchange, openStream, signal })
        }
        answer.finish(200, resultText(request.id, await run(exchange, { request, envelope, answer })))
      } catch (error) {
        if (!signal.aborted) answerFailure(answer, error, { request, era: '2026', logger })
      }
    },
    endStreams: () => subscriptions.close(),
  }

  async function run(
    exchange: MessageExchange,
    call: { readonly request: RequestMessage; readonly envelope: Envelope; readonly answer: CallAnswer },
  ): Promise<JsonText> {
    const { request, envelope, answer } = call
    const { identity, signal, forwardedHeaders } = exchange
    const verb = known.get(request.method)
    if (verb === undefined) throw new ProtocolError(rpcCode.methodNotFound, 'Method not found', { status: 404 })
    const client = createRetryChannel({
      capabilities: envelope.capabilities,
      progressToken: readProgressToken(request.params),
      logLevel: () => envelope.logLevel,
      send: answer.send,
    })
    const options: CallOptions = { signal, client, ...(forwardedHeaders !== undefined && { forwardedHeaders }) }
    if (request.method === 'tools/call') await checkParameters(exchange, request, options)
    return verb({ ...context, identity, params: request.params, options })
  }

  /** A tool that cannot be looked up has no parameters to check: its call answers why. */
  async function checkParameters(
    { identity, headers: sent }: MessageExchange,
    { params }: RequestMessage,
    options: CallOptions,
  ): Promise<void> {
    try {
      const tool = await vmcp.lookupTool(identity, readText(params, 'name'), options)
      checkParameterHeaders(tool.inputSchema, params['arguments'], sent)
    } catch (error) {
      if (!isVmcpError(error)) throw error
    }
  }
}
