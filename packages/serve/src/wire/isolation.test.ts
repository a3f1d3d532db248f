import { Identity, text } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { startServer } from '../testing/start-server.js'
import type { Json } from '../testing/wire.js'
import { openSession, post, rpc } from '../testing/wire.js'

const bySubject = {
  authenticate: async ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) => {
    const subject = headers['authorization'] ?? ''
    return { outcome: 'authenticated', identity: new Identity({ issuer: 'https://idp.example', subject }) } as const
  },
}

describe('many callers at one time', () => {
  it('REL-S3 get their own answers only, while others try with stolen and guessed session ids', async () => {
    const server = await startServer(
      {
        callTool: async (identity, { arguments: given }) => {
          await new Promise((resolve) => setImmediate(resolve))
          return { content: [text(`${identity?.subject} ${String(given?.['nonce'])}`)] }
        },
      },
      { incomingAuth: bySubject },
    )
    const owners = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => ({
        subject: `owner-${index}`,
        session: await openSession(server, { headers: { authorization: `owner-${index}` } }),
      })),
    )
    const call = (headers: Readonly<Record<string, string>>, nonce: string) =>
      post(server, rpc('tools/call', { name: 't', arguments: { nonce } }, 1), headers)

    const answers = owners.flatMap(({ subject, session }) =>
      Array.from({ length: 5 }, async (_, round) => {
        const answer = (await (await call(session.headers, `${subject}-${round}`)).json()) as Json
        return answer.result.content[0].text === `${subject} ${subject}-${round}`
      }),
    )
    const attacks = owners.flatMap(({ session }, index) => [
      call({ ...session.headers, authorization: 'attacker' }, 'stolen').then(({ status }) => status),
      call({ ...session.headers, authorization: `owner-${(index + 1) % 20}` }, 'stolen').then(({ status }) => status),
      call({ 'mcp-session-id': `${index}`, authorization: 'attacker' }, 'guessed').then(({ status }) => status),
    ])

    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]))
    expect(new Set(await Promise.all(attacks))).toEqual(new Set([404]))
  })

  it('REL-S4 each get both answers of two calls with one id', async () => {
    const server = await startServer({
      callTool: async (_identity, { name }) => {
        await new Promise((resolve) => setImmediate(resolve))
        return { content: [text(name)] }
      },
    })
    const sessions = await Promise.all(Array.from({ length: 25 }, () => openSession(server)))

    const answers = await Promise.all(
      sessions.flatMap((session, index) =>
        ['a', 'b'].map(async (half) => {
          const answer = await session.request('tools/call', { name: `${index}${half}` }, 7)
          return answer.result.content[0].text === `${index}${half}`
        }),
      ),
    )

    expect(answers).toHaveLength(50)
    expect(answers.every(Boolean)).toBe(true)
  })
})

describe('closing under load', () => {
  it('REL-R1 breaks no call: each is answered in full, or refused before it began', async () => {
    let begun = 0
    const server = await startServer({
      callTool: async (_identity, { name }) => {
        begun += 1
        await new Promise((resolve) => setTimeout(resolve, 5))
        return { content: [text(name)] }
      },
    })
    const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession(server)))
    const outcomes: string[] = []
    const callers = sessions.map(async (session, index) => {
      for (let round = 0; round < 1000; round += 1) {
        const outcome = await session.request('tools/call', { name: `${index}` }).then(
          (answer: Json) => (answer?.result?.content[0].text === `${index}` ? 'answered' : 'refused'),
          () => 'refused',
        )
        outcomes.push(outcome)
        if (outcome === 'refused') return
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 40))

    await server.close()
    await Promise.all(callers)

    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(begun)
  })
})
