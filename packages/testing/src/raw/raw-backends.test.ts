import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { calledTool, done, greeting, startSessionBackend, startSessionProgram } from './raw-backends.js'
import { openRawSession } from './raw-client.js'

describe('startSessionBackend', () => {
  it('answers the handshake itself and the rest by script, and keeps what it got', async () => {
    const backend = await startSessionBackend({ 'tools/call': (request) => request.result(done) })
    onTestFinished(() => backend.close())
    const client = await openRawSession(backend.url)
    expect(client.id).toBe('session-1')
    expect((await client.call('t', { a: 1 })).result).toEqual(done)
    expect((await client.request('tools/list')).status).toBe(405)
    expect(backend.count('tools/call')).toBe(1)
    expect(backend.requests.map(({ message }) => message['method'])).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/list',
    ])
  })

  it('says something and asks its client on the stream of a call', async () => {
    const backend = await startSessionBackend({
      'tools/call': async (request) => {
        request.send({ method: 'notifications/progress', params: { progress: 1 } })
        const { result } = await request.ask('roots/list')
        request.result({ content: [], structuredContent: result })
      },
    })
    onTestFinished(() => backend.close())
    const client = await openRawSession(backend.url, { onRequest: () => ({ result: { roots: [] } }) })
    const { messages, result } = await client.call('t')
    expect(messages.map(({ method }) => method)).toEqual(['notifications/progress', 'roots/list', undefined])
    expect(result['structuredContent']).toEqual({ roots: [] })
  })
})

describe('startSessionProgram', () => {
  it('is a process whose lines are scripted here, and that can be killed', async () => {
    const program = await startSessionProgram({
      'tools/call': (line) => line.result({ ...done, structuredContent: calledTool(line).input }),
    })
    onTestFinished(() => program.close())
    const child = spawn(program.command, program.args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const ask = async (message: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`)
      return JSON.parse(String((await lines.next()).value)) as { readonly result: unknown }
    }
    expect((await ask({ method: 'initialize' })).result).toEqual(greeting)
    const called = await ask({ method: 'tools/call', params: { name: 't', arguments: { a: 1 } } })
    expect(called.result).toEqual({ ...done, structuredContent: { a: 1 } })
    const ended = once(child, 'exit')
    expect(program.processes[0]?.pid).toBe(child.pid)
    program.processes[0]?.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
  })
})
