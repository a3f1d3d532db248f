/** A fixed answer of one of the pages beside the MCP endpoint. */
export interface PageAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** `/health` and `/ping`: the process answers. */
export function health(): PageAnswer {
  return { status: 200, body: { status: 'ok' } }
}

/** `/readyz`: send traffic here, or, while the server closes, no more. */
export function readiness(isClosing: boolean): PageAnswer {
  return isClosing
    ? { status: 503, body: { status: 'not_ready', mode: 'static', reason: 'shutting_down' } }
    : { status: 200, body: { status: 'ready', mode: 'static' } }
}
