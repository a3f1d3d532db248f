import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { RawLine, RawRequest } from '@vmcp/testing'
import { answerText, openRawSession } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { startGateway } from '../gateway-process.js'
import { httpBackend, stdioBackend, textOf, textResult, tool } from './backends.js'
import { openGateway, untilTestEnds } from './open-gateway.js'

const mebibyte = 1024 * 1024
const isLinux = process.platform === 'linux'

/** The most memory a process ever had, in bytes. */
function peakOf(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

describe('sizes', () => {
  it('CASE-28 arguments of 3 MB are refused with 413 at a limit of 2 MB, and the session goes on', async () => {
    const b1 = await httpBackend([tool('t')], { 'tools/call': (request) => request.result(textResult('done')) })
    const gateway = await openGateway({ b1 }, { server: { limits: { bodyBytes: 2_000_000 } } })
    const client = await gateway.session()
    const { status, messages } = await client.call('b1_t', { big: 'x'.repeat(3_000_000) })
    expect(status).toBe(413)
    expect(messages).toMatchObject([{ error: { code: -32600 } }])
    expect(b1.count('tools/call')).toBe(0)
    expect(textOf((await client.call('b1_t')).result)).toBe('done')
  })

  it.runIf(isLinux)(
    'CASE-28 results of 60 MB are a named error, over SSE and stdio, and memory stays bounded',
    async () => {
      const piece = 'x'.repeat(mebibyte)
      let taken = 0
      const overSse = await httpBackend([tool('big'), tool('small')], {
        'tools/call': async (request) => {
          if (request.body.includes('small')) return request.result(textResult('small'))
          const { response } = request
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(
            `data: {"jsonrpc":"2.0","id":${String(request.message['id'])},"result":{"content":[{"type":"text","text":"`,
          )
          for (let count = 0; count < 60 && !response.destroyed; count += 1) {
            taken += 1
            if (!response.write(piece)) await drained(response)
          }
          response.end('"}]}}\n\n')
        },
      })
      const writeBig = async ({ message, process }: RawLine): Promise<void> => {
        const frame = `{"jsonrpc":"2.0","id":${String(message['id'])},"result":{"content":[{"type":"text","text":"`
        await process.write(frame)
        for (let count = 0; count < 60; count += 1) await process.write(piece)
        await process.write('"}]}}\n')
      }
      let written = Promise.resolve()
      const overStdio = await stdioBackend([tool('big'), tool('small')], {
        'tools/call': async (request) => {
          // The gateway gives up before the line ends; an answer in the middle of it would be part of it.
          if (JSON.stringify(request.message).includes('small'))
            return written.then(() => request.result(textResult('small')))
          written = writeBig(request)
          await written
        },
      })
      const { command, args } = overStdio
      const gateway = await untilTestEnds(
        startGateway({
          name: 'demo',
          backends: [
            { name: 'sse', url: overSse.url },
            { name: 'stdio', command, args: [...args] },
          ],
        }).then((running) => ({ ...running, close: () => running.stop() })),
      )
      const client = await openRawSession(gateway.url)
      await client.request('tools/list')
      const before = peakOf(gateway.pid)
      for (const name of ['sse', 'stdio']) {
        const { result } = await client.call(`${name}_big`)
        expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('larger than') }] })
        expect(textOf((await client.call(`${name}_small`)).result)).toBe('small')
      }
      expect(taken).toBeLessThan(40)
      expect(peakOf(gateway.pid) - before).toBeLessThan(100 * mebibyte)
    },
  )

  it('CASE-28 a line of 5 MB without an end costs its own call, at once, and the session goes on', async () => {
    const program = await stdioBackend([tool('endless'), tool('small')], {
      'tools/call': async ({ message, result, process }) => {
        if (JSON.stringify(message).includes('small')) return result(textResult('small'))
        await process.write('z'.repeat(5_000_000))
      },
    })
    const options = { core: { timeouts: { defaultMs: 60_000 } }, limits: { maxMessageBytes: mebibyte } }
    const client = await (await openGateway({ b1: program }, options)).session()
    await client.request('tools/list')
    expect((await client.call('b1_endless')).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('larger than') }],
    })
    await program.processes[0]?.write('\n')
    expect(textOf((await client.call('b1_small')).result)).toBe('small')
  })

  it('CASE-28 an event without data is no message', async () => {
    const b1 = await httpBackend([tool('t')], {
      'tools/call': (request) => {
        request.response.writeHead(200, { 'content-type': 'text/event-stream' })
        request.response.write('data:\n\nevent: message\ndata:\n\n: nothing\n\nid: 7\ndata: \n\n')
        request.result(textResult('done'))
      },
    })
    const client = await (await openGateway({ b1 })).session()
    expect(textOf((await client.call('b1_t')).result)).toBe('done')
  })

  it.each<[string, (body: string) => Buffer]>([
    ['gzip', (body) => gzipSync(body)],
    ['what is no gzip', (body) => Buffer.from(body)],
    ['60 MB in little gzip', () => gzipSync(Buffer.alloc(60 * mebibyte, 0x20))],
  ])('CASE-28 an answer in %s is a named error at once, and the session goes on', async (_, encode) => {
    const answer = (request: RawRequest) => {
      if (request.body.includes('small')) return request.result(textResult('small'))
      const body = encode(answerText(request, textResult('secret')))
      request.response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body)
    }
    const b1 = await httpBackend([tool('zipped'), tool('small')], { 'tools/call': answer })
    const client = await (await openGateway({ b1 })).session()
    await client.request('tools/list')
    const started = performance.now()
    const { result, text } = await client.call('b1_zipped')
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(result).toMatchObject({ isError: true })
    expect(text).toContain('b1')
    expect(text).not.toContain('secret')
    expect(textOf((await client.call('b1_small')).result)).toBe('small')
  })
})

function drained(response: RawRequest['response']): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    response.on('drain', settle).on('close', settle)
  })
}
