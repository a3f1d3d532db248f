import type { JsonObject, Meta } from '@vmcp/domain'
import { delegate } from '@vmcp/domain'
import { createVMCP } from '@vmcp/core'
import { connectClient, startReferenceServer } from '@vmcp/sdk-adapter/testing'
import { serve } from '@vmcp/serve'
import { describe, expect, it } from 'vitest'
import { openForm } from './scenario.js'
import { memberText, tapWire } from './wire-tap.js'

const message = 'Go on?'
const done: JsonObject & { readonly content: readonly [] } = { content: [] }

/** The bytes of the question that a client got from a server whose one tool asks it. */
async function questionFrom(url: string): Promise<string> {
  const tap = await tapWire(url)
  const client = await connectClient({ sdk: 'v2', url: tap.url, onElicitation: () => ({ action: 'decline' }) })
  await client.callTool('ask')
  await client.close()
  await tap.close()
  return memberText(tap.messages.find((text) => text.includes('elicitation/create')) ?? '{}', 'params')
}

/** The question of the SDK, given these parameters. It says `mode`, which means the same when it is absent. */
async function askDirectly(params: JsonObject): Promise<string> {
  const server = await startReferenceServer(async ({ elicit }) => {
    await elicit(params)
    return done
  })
  const question = await questionFrom(server.url)
  await server.close()
  return question.replace(',"mode":"form"', '')
}

/** The question of the adapter, given this metadata by a `VMCP` of an embedder. */
async function askThroughSeam(meta: Meta | undefined): Promise<string> {
  const core = createVMCP({ name: 'asks', backends: [] })
  const vmcp = delegate(core, {
    callTool: async (_identity, _request, options) => {
      const question = { message, requestedSchema: openForm, ...(meta !== undefined && { meta }) }
      await options?.client?.elicitation?.requestElicitation(question)
      return done
    },
  })
  const server = await serve(vmcp, { name: 'asks', version: '1.0.0', port: 0 })
  const question = await questionFrom(server.url)
  await server.close()
  await vmcp.close()
  return question
}

describe('the metadata of a question', () => {
  it.each<[string, Meta | undefined, Meta | undefined]>([
    ['absent stays absent', undefined, undefined],
    ['is passed on', { 'acme/trace': 'abc', nested: { keys: [1] } }, { 'acme/trace': 'abc', nested: { keys: [1] } }],
    [
      'loses its reserved keys',
      {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/serverInfo': {},
        trace: 'abc',
      },
      { trace: 'abc' },
    ],
    ['is absent when only reserved keys were in it', { 'io.modelcontextprotocol/serverInfo': {} }, undefined],
  ])('CORE-P02 %s', async (_, meta, sent) => {
    const direct = { message, requestedSchema: openForm, ...(sent !== undefined && { _meta: sent }) }

    expect(await askThroughSeam(meta)).toBe(await askDirectly(direct))
  })
})
