import type { RawRequest } from '@vmcp/testing'
import { callStateless } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { greets, httpBackend } from './backends.js'
import { openGateway } from './open-gateway.js'

/** Answers with a JSON text as it is. */
const answersText =
  (member: string, status = 200) =>
  (request: RawRequest) => {
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(request.message['id'])},${member}}`
    request.response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }

const numbers = '{"id":9007199254740993,"ids":[-9007199254740995,123456789012345678901234567890],"far":1e400,"n":1.5}'

/** A backend whose every answer has numbers that JavaScript has not. */
function exactBackend() {
  const text = `"content":[{"type":"text","text":"done","annotations":${numbers}}]`
  const schema = `{"type":"object","properties":{"n":{"maximum":9223372036854775807}}}`
  return httpBackend([], {
    ...greets({ tools: {}, resources: {} }),
    'tools/list': answersText(
      `"result":{"tools":[${['t', 'fails', 'refuses'].map((name) => `{"name":"${name}","inputSchema":${schema}}`)}]}`,
    ),
    'resources/list': answersText(`"result":{"resources":[{"uri":"config://info","name":"info","x":${numbers}}]}`),
    'resources/templates/list': answersText('"result":{"resourceTemplates":[]}'),
    'resources/read': answersText(`"result":{"contents":[{"uri":"config://info","text":"","x":${numbers}}]}`),
    'tools/call': (request) => {
      const { name } = request.message['params'] as { readonly name: string }
      if (name === 't') {
        answersText(`"result":{${text},"structuredContent":${numbers},"_meta":{"acme/cost":${numbers}}}`)(request)
      } else {
        answersText(`"error":{"code":-32000,"message":"no","data":${numbers}}`, name === 'fails' ? 200 : 400)(request)
      }
    },
  })
}

describe('results with numbers that JavaScript has not', () => {
  it('CASE-15 reach a client of 2025 digit by digit', async () => {
    const client = await (await openGateway({ b1: await exactBackend() })).session()
    const called = await client.call('b1_t')
    expect(called.text).toContain(`"structuredContent":${numbers}`)
    expect(called.text).toContain(`"annotations":${numbers}`)
    expect(called.text).toContain(`"acme/cost":${numbers}`)
    expect((await client.request('tools/list')).text).toContain('"maximum":9223372036854775807')
    expect((await client.request('resources/list')).text).toContain(`"x":${numbers}`)
    expect((await client.request('resources/read', { uri: 'config://info' })).text).toContain(`"x":${numbers}`)
    expect((await client.call('b1_fails')).text).toContain(`"data":${numbers}`)
    expect((await client.call('b1_refuses')).text).toContain(`"data":${numbers}`)
  })

  it('CASE-15 reach a client of 2026 digit by digit', async () => {
    const { url } = await openGateway({ b1: await exactBackend() })
    const called = await callStateless(url, 'tools/call', { params: { name: 'b1_t' } })
    expect(called.text).toContain(`"structuredContent":${numbers}`)
    expect((await callStateless(url, 'tools/list')).text).toContain('"maximum":9223372036854775807')
  })
})
