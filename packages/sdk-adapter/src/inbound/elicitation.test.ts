import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server'
import type { JsonObject } from '@vmcp/domain'
import { Cancelled, InvalidInput } from '@vmcp/domain'
import { deepFreeze } from '@vmcp/testing'
import { describe, expect, it } from 'vitest'
import { createElicitationRequester, fromElicitResult, toElicitParams } from './elicitation.js'

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }

describe('toElicitParams', () => {
  it('passes message and schema through as they are, in form mode without saying so', () => {
    const params = toElicitParams({ message: 'Your name?', requestedSchema })

    expect(params).toEqual({ message: 'Your name?', requestedSchema })
    expect(params['requestedSchema']).toBe(requestedSchema)
    const typed: ElicitRequestFormParams = {
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: {} },
    }
    expect(Object.keys(params)).toEqual(Object.keys(typed))
  })

  it('sends meta as _meta without reserved keys, and changes nothing that it was given', () => {
    const request = deepFreeze({
      message: 'm',
      requestedSchema,
      meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/related-task': { taskId: '1' },
        progressToken: 7,
        traceparent: '00-1',
      },
    })

    expect(toElicitParams(request)['_meta']).toEqual({
      'io.modelcontextprotocol/related-task': { taskId: '1' },
      progressToken: 7,
      traceparent: '00-1',
    })
  })

  it('leaves _meta out when there is none, or none is left', () => {
    expect(toElicitParams({ message: 'm', requestedSchema })).not.toHaveProperty('_meta')
    const meta = { 'io.modelcontextprotocol/serverInfo': {} }
    expect(toElicitParams({ message: 'm', requestedSchema, meta })).not.toHaveProperty('_meta')
  })
})

describe('fromElicitResult', () => {
  it.each(['accept', 'decline', 'cancel'] satisfies ElicitResult['action'][])('gives %s as it is', (action) => {
    expect(fromElicitResult({ action })).toEqual({ action })
  })

  it.each([[{ name: 'Ada' }], ['text'], [[1]], [null]])('does not interpret the content %j', (content) => {
    expect(fromElicitResult({ action: 'accept', content }).content).toBe(content)
  })

  it.each([{}, { action: 'maybe' }, { action: 1 }, { action: 'toString' }])('refuses %j', (result) => {
    expect(() => fromElicitResult(result)).toThrow(InvalidInput)
  })
})

describe('createElicitationRequester', () => {
  it('sends one elicitation/create and passes failures on unchanged', async () => {
    const sent: unknown[] = []
    const gone = new Cancelled('the client is gone')
    const answers: Promise<JsonObject>[] = [Promise.resolve({ action: 'decline' }), Promise.reject(gone)]
    const requester = createElicitationRequester((method, params, options) => {
      sent.push([method, params, options])
      return answers.shift() ?? Promise.reject(gone)
    })
    const { signal } = new AbortController()

    expect(await requester.requestElicitation({ message: 'm', requestedSchema }, { signal })).toEqual({
      action: 'decline',
    })
    await expect(requester.requestElicitation({ message: 'm', requestedSchema })).rejects.toBe(gone)
    expect(sent[0]).toEqual(['elicitation/create', { message: 'm', requestedSchema }, { signal }])
  })
})
