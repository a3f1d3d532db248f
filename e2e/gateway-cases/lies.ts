import type { RawRequest } from '@vmcp/testing'
import { textResult } from './backends.js'

const json = { 'content-type': 'application/json' }
const raw =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = json, status = 200) =>
  ({ response }: RawRequest) =>
    void response.writeHead(status, headers).end(body)
const invalid = [
  '[1,]',
  '{"a":1 "b":2}',
  '[',
  '{"a',
  '\ufeff{',
  '[1e]',
  '"\\u00"',
  'nul',
  '{"a":1}x',
  '\u0000',
  "{'a':1}",
]

/** Bytes in place of a response. */
const bytes =
  (text: string) =>
  ({ response }: RawRequest) =>
    void response.socket?.end(text)

/** What a backend may answer that is no answer, by name. Each holds a word that nobody may read. */
export const lies: readonly (readonly [string, (request: RawRequest) => void])[] = [
  ...invalid.map((text) => [`the text ${JSON.stringify(text)}`, raw(`${text}secret`)] as const),
  ['a wrong id', (request) => request.json(200, { jsonrpc: '2.0', id: 'x', result: textResult('secret') })],
  [
    'a wrong id in a stream',
    (request) => {
      request.send({ id: 'x', result: textResult('secret') })
      request.response.end()
    },
  ],
  ['bad UTF-8', raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))],
  ['204', raw('', {}, 204)],
  ['a redirect to nowhere', raw('secret', { location: 'http://127.0.0.1:9/secret' }, 302)],
  ['500 with a stack trace', raw('Error: secret at /srv/secret.js:1', json, 500)],
  ['500 with a JSON-RPC error', (request) => request.error(500, { code: -32000, message: 'secret at /srv' })],
  ['503 in HTML', raw('<h1>secret</h1>', { 'content-type': 'text/html' }, 503)],
  [
    'an error that is none',
    (request) => request.json(200, { jsonrpc: '2.0', id: request.message['id'], error: 'secret' }),
  ],
  ['a result that is a number', (request) => request.result(7)],
  ['content that is a text', (request) => request.result({ content: 'secret' })],
  [
    '10 000 events that are none',
    ({ response }) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: secret\n\n'.repeat(10_000)),
  ],
  ['no HTTP', bytes('SSH-2.0-secret\r\n')],
  ['a length that is too long', bytes('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"secret":1}')],
  ['two lengths', bytes('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}secret')],
  ['chunks that are none', bytes('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nsecret')],
  ['a header of 200 KB', bytes(`HTTP/1.1 200 OK\r\nx: ${'secret'.repeat(35_000)}\r\n\r\n`)],
]
