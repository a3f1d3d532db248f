import type { CallOptions, ClientCapabilities } from '@vmcp/domain'
import { CancellableOptions, isJsonObject, isVmcpError } from '@vmcp/domain'
import { answerFailure } from '../answer-failure.js'
import type { AnswerStream } from '../call-answer.js'
import { CallAnswer } from '../call-answer.js'
import type { ChannelEnd } from '../client-channel.js'
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

/** Makes the endpoint of the stateless era. */
export function createStatelessEndpoint(context: EndpointContext): StatelessEndpoint {
  const { vmcp, config, writer, pageSize, logger } = context
  const known = new Map([...verbs, ['server/discover', createDiscover(config)] as const])
  const subscriptions = createSubscriptions(context)

  return {
    request: (exchange, request, envelope) => {
      const call = new StatelessCall(exchange, envelope)
      return run(exchange, request, call).then(
        (text) => {
          if (text !== undefined) call.finish(200, resultText(request.id, text))
        },
        (error: unknown) => {
          if (!exchange.cancellation.isCancelled) answerFailure(call, error, { request, era: '2026', logger })
        },
      )
    },
    endStreams: () => subscriptions.close(),
  }

  /** The result; none for a subscription, which has answered by itself. */
  function run(exchange: MessageExchange, request: RequestMessage, call: StatelessCall): Promise<JsonText | undefined> {
    const { identity, cancellation, forwardedHeaders } = exchange
    const { method, params } = request
    try {
      if (method === 'subscriptions/listen') return listen(exchange, request, call)
      const verb = known.get(method)
      if (verb === undefined) throw new ProtocolError(rpcCode.methodNotFound, 'Method not found', { status: 404 })
      const client = createRetryChannel(call, readProgressToken(params))
      const options = new CancellableOptions(cancellation, { client, forwardedHeaders })
      const verbCall = { vmcp, identity, params, options, writer, pageSize }
      if (method !== 'tools/call' || !hasMembers(params['arguments'])) return verb(verbCall)
      return checkParameters(exchange, request, options).then(() => verb(verbCall))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async function listen(exchange: MessageExchange, request: RequestMessage, call: StatelessCall): Promise<undefined> {
    const { identity, acceptsStream, cancellation, forwardedHeaders } = exchange
    await subscriptions.listen(request, {
      identity,
      acceptsStream,
      cancellation,
      ...(forwardedHeaders !== undefined && { forwardedHeaders }),
      openStream: () => call.openStream(),
    })
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

/** A call without arguments has none to repeat in a header. */
function hasMembers(given: unknown): boolean {
  return isJsonObject(given) && Object.keys(given).length > 0
}

const headers = { 'cache-control': 'private, no-store' }

/** One request while it runs: its answer and its client's side. */
class StatelessCall extends CallAnswer implements ChannelEnd {
  readonly capabilities: ClientCapabilities
  readonly logLevel: string | undefined

  constructor(exchange: MessageExchange, { capabilities, logLevel }: Envelope) {
    super(exchange)
    this.capabilities = capabilities
    this.logLevel = logLevel
  }

  protected override get headers(): Readonly<Record<string, string>> {
    return headers
  }

  override openStream(): AnswerStream {
    const stream = this.responder.stream()
    return { send: (data) => stream.send({ data }), end: () => stream.end() }
  }
}
