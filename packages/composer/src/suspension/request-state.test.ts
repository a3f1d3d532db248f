import { Identity, InvalidRequestState, isInputRequired } from '@vmcp/domain'
import type { InputRequired, InputResponses } from '@vmcp/domain'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  accept,
  alice,
  askedBy,
  caller,
  deployment,
  deploymentTools,
  endOf,
  keys,
  run,
  schema,
} from '../../test/deployment.js'
import type { Call } from '../../test/deployment.js'
import { toolStep, workflowOf } from '../../test/run-for-test.js'
import { scriptedTools } from '../../test/scripted-tools.js'
import { createComposer } from '../composer.js'
import type { Composer } from '../composer.js'

describe('the requestState of a workflow', () => {
  async function refused(composer: Composer, call: Call): Promise<void> {
    const tools = deploymentTools()
    await expect(run(composer, { tools, ...call })).rejects.toBeInstanceOf(InvalidRequestState)
    expect(tools.calls).toEqual([])
  }

  it('is refused when it is forged or changed in any place', async () => {
    const composer = createComposer({ suspension: { keys } })
    const asked = await askedBy(composer)
    const state = asked.requestState ?? ''
    const changed = [0, 30, state.length >> 1, state.length - 10].map(
      (at) => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1),
    )

    for (const requestState of ['', 'x', 'a.b.c.d.e', state.slice(0, -1), ...changed]) {
      await refused(composer, { answer: { to: { resultType: 'input_required', requestState }, with: accept } })
    }
    for (const requestState of [null, 7, {}, [state]]) {
      const to = { resultType: 'input_required', requestState } as unknown as InputRequired
      await refused(composer, { answer: { to, with: accept } })
    }
  })

  it('is refused when another algorithm, no key or another key is named in it', async () => {
    const composer = createComposer({ suspension: { keys } })
    const [, ...rest] = ((await askedBy(composer)).requestState ?? '').split('.')
    const headers = [
      { alg: 'none' },
      { alg: 'dir', enc: 'A128GCM', kid: 'k1' },
      { alg: 'dir', enc: 'A256GCM' },
      { alg: 'dir', enc: 'A256GCM', kid: '__proto__' },
      { alg: 'dir', enc: 'A256GCM', kid: 'k1', zip: 'DEF' },
      { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', kid: 'k1', p2c: 1e9, p2s: 'AAAA' },
    ]

    for (const header of headers) {
      const requestState = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
      await refused(composer, { answer: { to: { resultType: 'input_required', requestState }, with: accept } })
    }
  })

  it('is refused for another caller, workflow, definition or arguments', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }

    await refused(composer, { answer, identity: null })
    await refused(composer, { answer, identity: new Identity({ issuer: alice.issuer, subject: 'bob' }) })
    await refused(composer, { answer, identity: new Identity({ issuer: 'https://other', subject: 'alice' }) })
    await refused(composer, { answer, workflow: { ...deployment, name: 'other' } })
    await refused(composer, { answer, workflow: { ...deployment, steps: deployment.steps.slice(1) } })
    await refused(composer, { answer, arguments: { repo: 'acme/other' } })
    expect((await endOf(composer, { answer })).status).toBe('completed')
  })

  it('is used once where the steps after it called a tool', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    await endOf(composer, { answer })

    await refused(composer, { answer })
  })

  it('is refused for answers while it is being used', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    const tools = deploymentTools()

    const outcomes = await Promise.allSettled([run(composer, { tools, answer }), run(composer, { tools, answer })])

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(tools.calls.map(({ name }) => name)).toEqual(['deploy'])
  })

  it('may be used again when no tool was called since: after a refusal, a wrong answer, none, and a lost one', async () => {
    const composer = createComposer({ suspension: { keys } })
    const to = await askedBy(composer)
    const answers: readonly unknown[] = [
      { confirm: { action: 'decline' } },
      { confirm: { action: 'yes' } },
      { confirm: null },
      { confirm: { action: 'accept', content: 'x'.repeat(1_048_577) } },
      { confirm: [] },
      {},
      'text',
    ]
    for (const inputResponses of answers) {
      await run(composer, { answer: { to, with: inputResponses as InputResponses } })
    }

    expect((await endOf(composer, { answer: { to, with: accept } })).status).toBe('completed')
    await refused(composer, { answer: { to, with: accept } })
  })

  it('may be used again by a caller who gave up before any tool was called', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    const leaving = new AbortController()
    const request = {
      workflow: deployment,
      tools: deploymentTools(),
      arguments: { repo: 'acme/widget' },
      requestState: answer.to.requestState ?? '',
      inputResponses: answer.with,
    }

    const left = composer.run(alice, request, { client: caller, signal: leaving.signal })
    leaving.abort()

    await expect(left).rejects.toMatchObject({ _tag: 'Cancelled' })
    expect(request.tools.calls).toEqual([])
    expect(composer.runs().map(({ status }) => status)).toEqual(['waiting_for_elicitation'])
    expect((await endOf(composer, { answer })).status).toBe('completed')
  })

  it('is used up by a caller who gave up after a tool was called', async () => {
    const composer = createComposer({ suspension: { keys } })
    const answer = { to: await askedBy(composer), with: accept }
    const leaving = new AbortController()
    const tools = scriptedTools({
      deploy: () => {
        leaving.abort()
        return new Promise(() => {})
      },
    })
    const request = {
      workflow: deployment,
      tools,
      arguments: { repo: 'acme/widget' },
      requestState: answer.to.requestState ?? '',
      inputResponses: answer.with,
    }

    await expect(composer.run(alice, request, { client: caller, signal: leaving.signal })).rejects.toMatchObject({
      _tag: 'Cancelled',
    })

    await refused(composer, { answer })
  })

  it('shares its one use with the states that followed without a tool in between', async () => {
    const question = (id: string, dependsOn: string[] = []) =>
      ({ id, type: 'elicitation', message: id, schema, dependsOn }) as const
    const workflow = workflowOf({
      steps: [question('a'), question('b', ['a']), toolStep('deploy', { dependsOn: ['b'] })],
    })
    const composer = createComposer({ suspension: { keys } })
    const yes = { action: 'accept', content: {} }
    const first = await askedBy(composer, { workflow })
    const second = await askedBy(composer, { workflow, answer: { to: first, with: { a: yes } } })
    const other = await askedBy(composer, { workflow, answer: { to: first, with: { a: yes } } })

    await endOf(composer, { workflow, answer: { to: second, with: { b: yes } } })

    await refused(composer, { workflow, answer: { to: other, with: { b: yes } } })
    await refused(composer, { workflow, answer: { to: first, with: { a: yes } } })
  })

  it('is used once whatever came after it when the store cannot take that back', async () => {
    const used = new Set<string>()
    const store = { use: async (id: string) => !used.has(id) && used.add(id) !== undefined }
    const composer = createComposer({ suspension: { keys, store } })
    const first = await askedBy(composer)
    const second = await askedBy(composer, { answer: { to: first, with: {} } })

    await refused(composer, { answer: { to: first, with: accept } })
    expect((await endOf(composer, { answer: { to: second, with: accept } })).status).toBe('completed')
  })

  it('goes on with a new one when the store fails to take a use back', async () => {
    const used = new Set<string>()
    const store = {
      use: async (id: string) => !used.has(id) && used.add(id) !== undefined,
      release: () => Promise.reject(new Error('the store is down')),
    }
    const composer = createComposer({ suspension: { keys, store } })
    const second = await askedBy(composer, { answer: { to: await askedBy(composer), with: {} } })

    expect((await endOf(composer, { answer: { to: second, with: accept } })).status).toBe('completed')
  })

  it('is used once among composers that share a store', async () => {
    const used = new Set<string>()
    const store = { use: async (id: string) => !used.has(id) && used.add(id) !== undefined }
    const answer = { to: await askedBy(createComposer({ suspension: { keys, store } })), with: accept }
    await endOf(createComposer({ suspension: { keys, store } }), { answer })

    await refused(createComposer({ suspension: { keys, store } }), { answer })
  })

  it('is refused when nobody can say whether it was used', async () => {
    const store = { use: () => Promise.reject(new Error('the store is down')) }

    await refused(createComposer({ suspension: { keys, store } }), {
      answer: { to: await askedBy(createComposer({ suspension: { keys } })), with: accept },
    })
  })

  it('is refused after its time', async () => {
    const composer = createComposer({ suspension: { keys, ttlMs: -1 } })

    await refused(composer, { answer: { to: await askedBy(composer), with: accept } })
  })

  it('is refused by a process with another key, and by one without a configured key', async () => {
    const answer = { to: await askedBy(createComposer({ suspension: { keys } })), with: accept }

    await refused(createComposer({ suspension: { keys: [{ id: 'k1', secret: randomBytes(32) }] } }), { answer })
    await refused(createComposer(), { answer })
  })

  it('opens with an older key after a new one was put first', async () => {
    const answer = { to: await askedBy(createComposer({ suspension: { keys } })), with: accept }
    const rotated = [{ id: 'k2', secret: randomBytes(48).toString('base64') }, ...keys]

    const ended = await endOf(createComposer({ suspension: { keys: rotated } }), { answer })

    expect(ended.status).toBe('completed')
  })

  it('shows nothing of what is inside', async () => {
    const asked = await askedBy(createComposer())
    const [header = ''] = (asked.requestState ?? '').split('.')

    expect(isInputRequired(asked)).toBe(true)
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
      kid: 'process',
    })
  })

  it('needs a key of each id', () => {
    const [key] = keys

    expect(() =>
      createComposer({ suspension: { keys: [...keys, { id: key?.id ?? '', secret: randomBytes(32) }] } }),
    ).toThrow('is the id of another key')
  })

  it('needs keys of 32 bytes', () => {
    expect(() => createComposer({ suspension: { keys: [{ id: 'k', secret: 'c2hvcnQ=' }] } })).toThrow(
      'must be at least 32 bytes',
    )
  })
})
