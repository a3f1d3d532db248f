import type { RawRequest } from '@vmcp/testing'
import { answerText, calledTool } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { httpBackend, textOf, textResult, tool } from './backends.js'
import { openGateway } from './open-gateway.js'
import { isFailure, timed } from './timing.js'

describe('giant answers', () => {
  const megabyte = 1024 * 1024
  const sized = (bytes: number) => (request: RawRequest) => {
    const frame = answerText(request, textResult('')).length
    request.result(textResult('x'.repeat(bytes - frame)))
  }
  const deep = (levels: number) => (request: RawRequest) => {
    const inner = `${'['.repeat(levels)}${']'.repeat(levels)}`
    const body = `{"jsonrpc":"2.0","id":${String(request.message['id'])},"result":{"content":[],"structuredContent":{"a":${inner}}}}`
    request.response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  const wide = (keys: number) => (request: RawRequest) => {
    const inner = Array.from({ length: keys }, (_, key) => `"${key.toString(36)}":1`).join(',')
    const body = `{"jsonrpc":"2.0","id":${String(request.message['id'])},"result":{"content":[],"structuredContent":{${inner}}}}`
    request.response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }

  /** Writes as fast as it is read, until all is written or the reader has had enough. */
  const endless = (bytes: number) => (request: RawRequest) => {
    const { response } = request
    const chunk = Buffer.alloc(64 * 1024, 'x')
    let left = bytes
    const write = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length
        if (!response.write(chunk)) return void response.once('drain', write)
      }
      response.end()
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    write()
  }

  it.each<[string, (request: RawRequest) => void, boolean]>([
    ['of exactly the limit passes', sized(10 * megabyte), true],
    ['of one byte more fails', sized(10 * megabyte + 1), false],
    ['of 128 levels passes', deep(128 - 3), true],
    ['of 129 levels fails', deep(128 - 2), false],
    ['of a million levels fails', deep(1_000_000), false],
    ['of 200 MiB fails', endless(200 * megabyte), false],
    ['of a million keys passes', wide(1_000_000), true],
  ])('REL-B5 %s', async (_, act, passes) => {
    const b1 = await httpBackend([tool('big'), tool('t')], {
      'tools/call': (request) =>
        calledTool(request).name === 't' ? request.result(textResult('alive')) : act(request),
    })
    const client = await (await openGateway({ b1 })).session()
    await client.request('tools/list')
    const { answer } = await timed(client.call('b1_big'))
    expect(isFailure(answer)).toBe(!passes)
    if (!passes) expect(answer.text.length).toBeLessThan(600)
    expect(b1.count('tools/call')).toBe(1)
    expect(textOf((await client.call('b1_t')).result)).toBe('alive')
  })
})
