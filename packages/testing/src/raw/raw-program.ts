import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { PendingQuestions } from './pending-questions.js'

/** One message that reached a raw program on its standard input. */
export interface RawLine {
  readonly message: JsonObject
  /** The process that got it. */
  readonly process: RawProcess
  /** Answers this message with a JSON-RPC result. */
  result(result: unknown): void
  /** Answers this message with a JSON-RPC error. */
  error(error: JsonObject): void
  /** Asks the client, and resolves with the whole JSON-RPC answer. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>
}

/** A process that has been started. */
export interface RawProcess {
  readonly pid: number
  /** Sends a message. */
  send(message: JsonObject): void
  /** Writes to its standard output as it is. Resolves when that was taken. */
  write(bytes: string | Buffer): Promise<void>
  kill(signal: NodeJS.Signals): void
}

/** A stdio program that does as its script says. Its lines are carried to and from this process over a socket. */
export interface RawProgram {
  readonly command: string
  readonly args: readonly string[]
  /** In the order they were started. */
  readonly processes: readonly RawProcess[]
  /** In order, oldest first. */
  readonly lines: readonly RawLine[]
  /** How often a JSON-RPC method arrived. */
  count(method: string): number
  close(): Promise<void>
}

/** Makes a program to be started by a gateway, as often as it likes. */
export async function startRawProgram(script: (line: RawLine) => void | Promise<void>): Promise<RawProgram> {
  const processes: RawProcess[] = []
  const lines: RawLine[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const questions = new PendingQuestions()
    let process: RawProcess | undefined
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const input = createInterface({ input: socket }).on('error', () => {})
    input.on('line', (text) => {
      const value: unknown = JSON.parse(text)
      const message = isJsonObject(value) ? value : {}
      if (process === undefined) return void processes.push((process = processOf(Number(message['pid']), socket)))
      if (questions.take(message)) return
      const line = lineOf(message, process, questions)
      lines.push(line)
      void script(line)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL('../../src/raw/pipe.mjs', import.meta.url)), String(port)],
    processes,
    lines,
    count: (method) => lines.filter(({ message }) => message['method'] === method).length,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function lineOf(message: JsonObject, process: RawProcess, questions: PendingQuestions): RawLine {
  return {
    message,
    process,
    result: (result) => process.send({ id: message['id'], result }),
    error: (error) => process.send({ id: message['id'], error }),
    ask: (method, params = {}) => questions.ask((id) => process.send({ id, method, params })),
  }
}

function processOf(pid: number, socket: Socket): RawProcess {
  return {
    pid,
    send: (message) => void socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error == null ? resolve() : reject(error)))
      }),
    kill: (signal) => process.kill(pid, signal),
  }
}
