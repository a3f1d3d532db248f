import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client'
import { isJSONRPCRequest, parseJSONRPCMessage } from '@modelcontextprotocol/client'
import type { Logger } from '@vmcp/domain'
import type { Carrier, ExchangeOptions } from '../carrier.js'
import type { AnswerLimits } from '../http/answer-reader.js'
import { parseMessage } from '../http/answer-reader.js'
import type { RpcAnswer, RpcMessage, RpcRequest } from '../json-rpc.js'
import { readMessage } from '../json-rpc.js'
import type { PendingRequest } from '../pending-requests.js'
import { PendingRequests } from '../pending-requests.js'
import { toSdkAnswer } from '../sdk-answer.js'
import { WireFailure } from '../wire-failure.js'
import type { Program, StopGrace } from './child.js'
import { startChild, stopChild } from './child.js'
import type { OversizedLine } from './line-reader.js'
import { LineReader } from './line-reader.js'
import { StderrTail } from './stderr-tail.js'

/** What a `StdioCarrier` is given. */
export interface StdioCarrierOptions {
  readonly limits: AnswerLimits
  readonly logger: Logger
  readonly grace: StopGrace
}

/**
 * A backend process, one JSON-RPC message a line, as a transport of the SDK and as an exchange of single requests.
 *
 * @see MCP "stdio"
 */
export class StdioCarrier implements Carrier {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Carrier['onmessage']
  readonly #program: Program
  readonly #options: StdioCarrierOptions
  readonly #pending = new PendingRequests()
  /** Whom a line over the limit may answer: those that waited when it passed the limit. */
  #suspects: readonly PendingRequest[] = []
  readonly #stderr: StderrTail
  #child: ChildProcessWithoutNullStreams | undefined
  #starting: Promise<void> | undefined
  #ending: Promise<void> | undefined
  #closed: WireFailure | undefined
  #hasAnswered = false

  constructor(program: Program, options: StdioCarrierOptions) {
    this.#program = program
    this.#options = options
    this.#stderr = new StderrTail(options.logger)
  }

  /** Starts the process, once. */
  start(): Promise<void> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    const child = await startChild(this.#program)
    this.#child = child
    const lines = new LineReader(this.#options.limits.maxMessageBytes, {
      line: (text) => this.#line(text),
      overflowing: (head) => this.#overflowing(head),
      oversized: (line) => this.#oversized(line),
    })
    child.stdout.on('data', (chunk: Buffer) => lines.write(chunk))
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.write(chunk))
    child.stdin.on('error', () => {})
    child.stdout.once('end', () => setTimeout(() => this.#over('closed its output'), mutedMs).unref())
    child.once('exit', (code, signal) => {
      const drained = setTimeout(() => this.#gone(code, signal), drainMs)
      child.once('close', () => {
        clearTimeout(drained)
        this.#gone(code, signal)
      })
    })
    if (this.#ending !== undefined) await stopChild(child, this.#options.grace)
  }

  /** For the SDK's own messages. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!isJSONRPCRequest(message)) return this.#write(message)
    const answer = await this.exchange(message, { call: { signal: options.requestSignal }, isCancelledSilently: true })
    this.onmessage?.(toSdkAnswer(message.id, answer))
  }

  exchange(request: RpcRequest, options: ExchangeOptions): Promise<RpcAnswer> {
    return this.#pending.wait(request, options, {
      send: () => this.#write(request),
      cancel: () => this.#cancel(request),
    })
  }

  async close(): Promise<void> {
    await this.end()
  }

  end(): Promise<void> {
    this.#ending ??= this.#stop()
    return this.#ending
  }

  async #stop(): Promise<void> {
    if (this.#child !== undefined) await stopChild(this.#child, this.#options.grace)
    this.#finish(new WireFailure({ kind: 'closed', detail: 'the backend was stopped' }))
  }

  #cancel({ id }: RpcRequest): void {
    try {
      this.#write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    } catch {
      // The process is gone, and the request with it.
    }
  }

  #write(message: object): void {
    if (this.#closed !== undefined) throw this.#closed
    if (this.#child === undefined) throw new WireFailure({ kind: 'closed', detail: 'the process has not started' })
    this.#child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  #line(text: string): void {
    let value: unknown
    try {
      value = parseMessage(text, this.#options.limits)
    } catch (error) {
      this.#unreadable(text, error)
      return
    }
    for (const element of Array.isArray(value) ? value : [value]) this.#message(element)
  }

  #message(value: unknown): void {
    const message = readMessage(value)
    if (message.kind === 'other') return this.#options.logger.debug('backend wrote a line that is not JSON-RPC')
    this.#hasAnswered = true
    if (message.kind === 'answer') {
      const pending = this.#pending.get(message.id) ?? this.#refusedUnread(message)
      if (pending !== undefined) return pending.resolve(message.answer)
      return this.#hand(value)
    }
    if (!this.#pending.takeProgress(message.incoming)) this.#hand(value)
  }

  /** An error without an id is for a request that was not understood: for the one that waits, if there is only one. */
  #refusedUnread({ id, answer }: Extract<RpcMessage, { kind: 'answer' }>): PendingRequest | undefined {
    const [waiting, ...others] = this.#pending.all
    return (id === null || id === undefined) && 'error' in answer && others.length === 0 ? waiting : undefined
  }

  #hand(value: unknown): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(value))
    } catch {
      this.#options.logger.debug('backend wrote a message that is not JSON-RPC')
    }
  }

  #unreadable(text: string, error: unknown): void {
    const pending = this.#owner({ head: text.slice(0, 256), tail: text.slice(-256) })
    if (pending !== undefined) pending.reject(error)
    else this.#options.logger.debug('backend wrote a line that is not JSON', { length: text.length })
  }

  /** The request that the line answers fails at once, if it is known: the line may never end. */
  #overflowing(head: string): void {
    const waiting = this.#pending.all
    const owner = this.#owner({ head, tail: '' }) ?? (waiting.length === 1 ? waiting[0] : undefined)
    this.#suspects = owner === undefined ? waiting : []
    owner?.reject(this.#tooLarge())
  }

  /** Requests that were sent after the line began are not meant by it. */
  #oversized(line: OversizedLine): void {
    const owner = this.#owner(line)
    const meant = owner !== undefined && this.#suspects.includes(owner) ? [owner] : this.#suspects
    this.#suspects = []
    for (const request of meant) request.reject(this.#tooLarge())
  }

  #tooLarge(): WireFailure {
    return new WireFailure({ kind: 'too-large', limitBytes: this.#options.limits.maxMessageBytes })
  }

  /** The request that a broken line seems to answer. */
  #owner({ head, tail }: OversizedLine): PendingRequest | undefined {
    if (!head.startsWith('{')) return undefined
    const id = leadingId.exec(head)?.[1] ?? trailingId.exec(tail)?.[1]
    return id === undefined ? undefined : this.#pending.get(id)
  }

  #gone(code: number | null, signal: NodeJS.Signals | null): void {
    this.#over(signal === null ? `exited with code ${code ?? 'unknown'}` : `was ended by ${signal}`)
  }

  /** Nothing more comes from the process. */
  #over(how: string): void {
    const when = this.#hasAnswered ? '' : ' before answering'
    if (this.#closed === undefined && this.#ending === undefined) {
      this.#options.logger.warn('backend process ended', { how, stderr: this.#stderr.text })
    }
    const kind = this.#hasAnswered ? ('closed' as const) : ('unreachable' as const)
    this.#finish(new WireFailure({ kind, detail: `the process ${how}${when}` }))
    void this.end()
  }

  #finish(failure: WireFailure): void {
    if (this.#closed !== undefined) return
    this.#closed = failure
    this.#pending.rejectAll(failure)
    this.onclose?.()
  }

  /** Why the connection ended, once it has. */
  get closedBy(): WireFailure | undefined {
    return this.#closed
  }
}

const drainMs = 200
/** Longer than it takes until the end of a process is known, of which the end of its output is a part. */
const mutedMs = 2 * drainMs
const leadingId = /^\{(?:"jsonrpc":"2\.0",)?"id":"?([^",}]+)/
const trailingId = /"id":"?([^",}]+)"?(?:,"jsonrpc":"2\.0")?\}\s*$/
