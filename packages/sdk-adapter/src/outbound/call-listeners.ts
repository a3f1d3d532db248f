import type { ClientChannel } from '@vmcp/domain'
import type { AskableClient } from './backend-requests.js'
import { forwardRequest } from './backend-requests.js'
import type { ExchangeOptions } from './carrier.js'
import type { Connection } from './connection.js'
import type { CompletionListener } from './elicitation-completions.js'
import { completeMethod } from './elicitation-completions.js'
import { callNotificationOf } from './from-wire.js'

/** Passes the notifications of a call to its client, which may be another one in each round. */
export function notificationsTo(
  client: () => ClientChannel,
  connection: Connection,
): NonNullable<ExchangeOptions['onNotification']> {
  return (incoming) => {
    if (incoming.method === completeMethod) return connection.completions.complete(incoming.params)
    const notification = callNotificationOf(incoming)
    if (notification !== undefined) client().notify(notification)
  }
}

/** Puts questions to the client of their own call, which also hears when what one led it to is complete. */
export function questionsTo(client: AskableClient, connection: Connection): NonNullable<ExchangeOptions['onRequest']> {
  return (request, signal) => {
    connection.completions.expect(request.params, completionsFor(client))
    return forwardRequest(client, request, signal)
  }
}

/** Tells a client that what it was led to is complete. */
export function completionsFor(client: ClientChannel): CompletionListener {
  return (elicitationId) => client.notify({ type: 'elicitation-complete', elicitationId })
}
