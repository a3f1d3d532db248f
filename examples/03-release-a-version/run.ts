import assert from 'node:assert/strict'
import { connectClient } from '@vmcp/sdk-adapter/testing'
import { runGateway } from '../run-gateway.js'

/** Releases a version twice: you accept, and you decline. One package fails, and so does the announcement. */
export async function run(): Promise<readonly string[]> {
  const gateway = await runGateway(new URL('vmcp.yaml', import.meta.url))
  const said: string[] = []
  const answers = [{ action: 'accept', content: { channel: 'next', announce: true } }, { action: 'decline' }]
  const client = await connectClient({
    sdk: 'v2',
    url: gateway.url,
    onElicitation: ({ message }) => {
      const answer = answers.shift() ?? { action: 'cancel' }
      said.push(`asked: ${message}`, `you: ${JSON.stringify(answer)}`)
      return answer
    },
  })
  try {
    const tools = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['release'],
    )

    const accepted = await client.callTool('release', { version: '2.1.0' })
    said.push(`release: ${JSON.stringify(accepted['structuredContent'], undefined, 2)}`)
    assert.deepEqual(accepted['structuredContent'], {
      decision: 'accept',
      published: 2,
      problems: 'tool execution failed: legacy-plugin: you may not publish this package',
      announcement: 'nowhere',
    })

    const declined = await client.callTool('release', { version: '2.1.0' })
    said.push(`release: ${JSON.stringify(declined['structuredContent'], undefined, 2)}`)
    assert.deepEqual(declined['structuredContent'], {
      decision: 'decline',
      published: 0,
      problems: '',
      announcement: 'nowhere',
    })

    const malformed = await client.callTool('release', { version: 'two' })
    assert.equal(malformed['isError'], true)
    said.push(`release: ${JSON.stringify(malformed['content'])}`)
    return said
  } finally {
    await client.close()
    await gateway.stop()
  }
}
