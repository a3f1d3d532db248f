import type { EventStore } from '@modelcontextprotocol/server'

type Message = Parameters<EventStore['storeEvent']>[1]

/** Keeps the events of one session in memory, so that its streams can be resumed. */
export function memoryEventStore(): EventStore {
  const events: { readonly stream: string; readonly message: Message }[] = []
  return {
    storeEvent: async (stream, message) => String(events.push({ stream, message }) - 1),
    getStreamIdForEventId: async (id) => events[Number(id)]?.stream,
    replayEventsAfter: async (id, { send }) => {
      const stream = events[Number(id)]?.stream ?? ''
      for (const [index, event] of events.entries()) {
        const isPriming = Object.keys(event.message).length === 0
        if (index > Number(id) && event.stream === stream && !isPriming) await send(String(index), event.message)
      }
      return stream
    },
  }
}
