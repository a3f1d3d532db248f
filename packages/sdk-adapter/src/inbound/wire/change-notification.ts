import type { JsonObject, VmcpEvent } from '@vmcp/domain'

/** A change as the notification that tells of it. */
export function changeNotification(event: VmcpEvent): { readonly method: string; readonly params: JsonObject } {
  return event.type === 'list-changed'
    ? { method: `notifications/${event.list}/list_changed`, params: {} }
    : { method: 'notifications/resources/updated', params: { uri: event.uri } }
}
