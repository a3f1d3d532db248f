/** Takes the messages of all whole events out of the text of an event stream; `rest` is the beginning of the next one. */
export function takeMessages(text: string): { readonly messages: readonly string[]; readonly rest: string } {
  const events = text.split(/\r?\n\r?\n/)
  const rest = events.pop() ?? ''
  return { messages: events.map(dataOf).filter((data) => data !== ''), rest }
}

/** True for the content type of an event stream. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.startsWith('text/event-stream') === true
}

function dataOf(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n')
}
