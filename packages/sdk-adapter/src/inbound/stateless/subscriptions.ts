import type { CallOptions, JsonObject, VmcpEvent } from '@vmcp/domain'
import { InvalidInput, isJsonObject, isVmcpError } from '@vmcp/domain'
import type { AnswerStream } from '../call-answer.js'
import { changeNotification } from '../wire/change-notification.js'
import type { EndpointContext } from '../endpoint-config.js'
import type { MessageExchange } from '../exchange.js'
import type { RequestMessage } from '../wire/json-rpc.js'
import { notificationText, resultText, rpcCode } from '../wire/json-rpc.js'
import { ProtocolError } from '../wire/protocol-error.js'

/** The streams of `subscriptions/listen` (2026-07-28). */
export interface Subscriptions {
  /** Acknowledges what is honoured, then reports until the client leaves. Rejects before anything is sent. */
  listen(request: RequestMessage, subscriber: Subscriber): Promise<void>
  /** Ends every stream with its result. */
  close(): void
}

/** A client that wants to hear of changes. */
export interface Subscriber extends Pick<
  MessageExchange,
  'identity' | 'acceptsStream' | 'cancellation' | 'forwardedHeaders'
> {
  readonly openStream: () => AnswerStream
}

interface Filter {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  readonly resourceSubscriptions?: readonly string[]
}

const subscriptionIdKey = 'io.modelcontextprotocol/subscriptionId'
/** Resources one stream may watch. */
const mostResources = 1000

/** Makes the streams. Without events nothing is honoured: the stream is acknowledged and ends. */
export function createSubscriptions({ vmcp, config, writer }: EndpointContext): Subscriptions {
  const open = new Set<() => void>()
  return {
    listen: async (request, subscriber) => {
      if (!subscriber.acceptsStream) {
        throw new ProtocolError(rpcCode.invalidRequest, 'Not Acceptable: the client must accept text/event-stream', {
          status: 406,
        })
      }
      const { identity, cancellation, forwardedHeaders } = subscriber
      const { signal } = cancellation
      const shared: CallOptions = { ...(forwardedHeaders !== undefined && { forwardedHeaders }) }
      const filter = await honour(request.params['notifications'], (uri) =>
        vmcp.lookupResource(identity, uri, { ...shared, signal }),
      )
      if (signal.aborted) return
      const _meta = { [subscriptionIdKey]: request.id }
      const stream = subscriber.openStream()
      const send = (method: string, params: JsonObject) => stream.send(notificationText(method, { ...params, _meta }))
      const finish = () => {
        stream.send(resultText(request.id, writer.write({ _meta })))
        stream.end()
      }
      send('notifications/subscriptions/acknowledged', { notifications: filter })
      if (config.events === undefined || Object.keys(filter).length === 0) return finish()
      await new Promise<void>((resolve) => {
        const unsubscribe = config.events?.subscribe(identity, report, {
          ...shared,
          resources: filter.resourceSubscriptions ?? [],
        })
        const leave = () => {
          unsubscribe?.()
          open.delete(end)
          resolve()
        }
        const end = () => {
          finish()
          leave()
        }
        open.add(end)
        if (signal.aborted) leave()
        else signal.addEventListener('abort', leave, { once: true })
      })

      function report(event: VmcpEvent): void {
        if (!wants(filter, event)) return
        const { method, params } = changeNotification(event)
        send(method, params)
      }
    },
    close: () => {
      for (const end of [...open]) end()
    },
  }

  async function honour(requested: unknown, lookup: (uri: string) => Promise<unknown>): Promise<Filter> {
    if (!isJsonObject(requested)) throw new InvalidInput('notifications must be an object', { field: 'notifications' })
    const uris = requested['resourceSubscriptions'] ?? []
    if (!Array.isArray(uris) || uris.length > mostResources || !uris.every((uri) => typeof uri === 'string')) {
      throw new InvalidInput(`resourceSubscriptions must be at most ${mostResources} URIs`, {
        field: 'notifications.resourceSubscriptions',
      })
    }
    if (config.events === undefined) return {}
    const readable = await Promise.all(uris.map((uri: string) => isReadable(uri, lookup)))
    const resourceSubscriptions = uris.filter((_, index) => readable[index])
    return {
      ...(requested['toolsListChanged'] === true && { toolsListChanged: true }),
      ...(requested['promptsListChanged'] === true && { promptsListChanged: true }),
      ...(requested['resourcesListChanged'] === true && { resourcesListChanged: true }),
      ...(resourceSubscriptions.length > 0 && { resourceSubscriptions }),
    }
  }
}

async function isReadable(uri: string, lookup: (uri: string) => Promise<unknown>): Promise<boolean> {
  try {
    await lookup(uri)
    return true
  } catch (error) {
    if (isVmcpError(error)) return false
    throw error
  }
}

function wants(filter: Filter, event: VmcpEvent): boolean {
  if (event.type === 'resource-updated') return filter.resourceSubscriptions?.includes(event.uri) === true
  return filter[`${event.list}ListChanged`] === true
}
