import type { ServerResponse } from 'node:http'
import type { EventStream, JsonText, Responder, StreamEvent } from '@vmcp/sdk-adapter'
import { sendJson } from './refusal.js'

/** How event streams are kept. */
export interface StreamLimits {
  readonly streamKeepAliveMs: number
  readonly streamBufferBytes: number
}

/** Answers an exchange over Node's own response. */
export class NodeResponder implements Responder {
  readonly #response: ServerResponse
  readonly #limits: StreamLimits

  constructor(response: ServerResponse, limits: StreamLimits) {
    this.#response = response
    this.#limits = limits
  }

  json(status: number, text?: JsonText, headers?: Readonly<Record<string, string>>): void {
    const response = this.#response
    if (text !== undefined) sendJson(response, status, text, headers)
    else if (!response.headersSent && !response.destroyed) {
      response.writeHead(status, { 'content-length': 0, ...headers }).end()
    }
  }

  stream(): EventStream {
    return openStream(this.#response, this.#limits)
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store, no-transform, private',
  /** Proxies must not hold events back. */
  'x-accel-buffering': 'no',
}

function openStream(response: ServerResponse, { streamKeepAliveMs, streamBufferBytes }: StreamLimits): EventStream {
  if (!response.headersSent && !response.destroyed) {
    response.writeHead(200, streamHeaders)
    response.flushHeaders()
  }
  const write = (text: string) => {
    if (response.writableEnded || response.destroyed) return
    response.write(text)
    if (response.writableLength > streamBufferBytes) response.destroy()
  }
  const timer = setInterval(() => write(': keep-alive\n\n'), streamKeepAliveMs)
  timer.unref()
  response.once('close', () => clearInterval(timer))
  return {
    send: (event) => write(format(event)),
    end: () => {
      clearInterval(timer)
      if (!response.writableEnded) response.end()
    },
  }
}

function format({ data, id, retryMs }: StreamEvent): string {
  const name = data === '' ? '' : 'event: message\n'
  const resumption = `${id === undefined ? '' : `id: ${id}\n`}${retryMs === undefined ? '' : `retry: ${retryMs}\n`}`
  return `${name}${resumption}data: ${data}\n\n`
}
