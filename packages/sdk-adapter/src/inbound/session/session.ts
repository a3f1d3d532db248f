import type { ClientCapabilities, ClientChannel, Identity, VmcpEvents } from '@vmcp/domain'
import { createPushChannel } from '../client-channel.js'
import type { EventStream } from '../exchange.js'
import { OpenQuestions } from './open-questions.js'
import type { ResumableStream } from './resumable-streams.js'
import { ResumableStreams } from './resumable-streams.js'
import { RunningCalls } from './running-calls.js'
import { SessionChanges } from './session-changes.js'

/** What a client said of itself in `initialize`. */
export interface SessionClient {
  readonly identity: Identity | null
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
  readonly forwardedHeaders: Readonly<Record<string, string>> | undefined
}

/** The protocol's side of one session (2025-11-25): what runs, what is asked, what is streamed. */
export class Session {
  readonly client: SessionClient
  /** Given by the registry once the session is open. */
  id = ''
  readonly running = new RunningCalls()
  readonly questions = new OpenQuestions()
  readonly streams = new ResumableStreams()
  /** Absent when nothing tells of changes. */
  readonly changes: SessionChanges | undefined
  /** The lowest level of log messages its client wants. */
  logLevel = 'info'
  #waiting: ResumableStream | undefined

  constructor(client: SessionClient, events: VmcpEvents | undefined) {
    this.client = client
    this.changes = events && new SessionChanges(events, client.identity, client.forwardedHeaders)
  }

  /** Only clients of 2025-11-25 take an event without data. */
  get primesStreams(): boolean {
    return this.client.protocolVersion >= '2025-11-25'
  }

  /** Waits for changes on `connection`. A client that opens a second stream has lost the first, which ends. */
  waitOn(connection: EventStream): void {
    this.#waiting?.end()
    this.#waiting = this.streams.open(connection, { primed: this.primesStreams })
    this.changes?.deliverTo(this.#waiting)
  }

  /** Sends a message on the stream that waits for changes. False when there is none. */
  sendApart(text: string): boolean {
    this.#waiting?.send(text)
    return this.#waiting !== undefined
  }

  /** The client apart from any call: it can be asked on the stream that waits for changes, while there is one. */
  channelApart(): ClientChannel {
    const { capabilities } = this.client
    const end = { capabilities, logLevel: this.logLevel, send: (text: string) => this.sendApart(text) }
    return createPushChannel(end, undefined, this.questions)
  }

  /** Cancels its calls, rejects its questions and ends its streams. */
  close(): void {
    this.running.close()
    this.questions.close()
    this.changes?.close()
    this.streams.close()
    this.#waiting = undefined
  }
}
