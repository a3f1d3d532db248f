import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { connectClient } from '@vmcp/sdk-adapter/testing'
import { runGateway } from '../run-gateway.js'

/** Serves two MCP servers from npm and a composite tool made of both, and uses all three. Gives what the README quotes. */
export async function run(): Promise<readonly string[]> {
  const gateway = await runGateway(new URL('vmcp.yaml', import.meta.url))
  const saved = new URL('files/story.txt', import.meta.url)
  const said: string[] = []
  const answers = [{ action: 'accept', content: { name: 'Ada' } }, { action: 'decline' }]
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
    const names = (await client.listTools()).map(({ name }) => name)
    for (const name of ['everything_echo', 'files_list_directory', 'greet_and_save']) assert(names.includes(name))

    const echoed = await client.callTool('everything_echo', { message: 'hello' })
    assert.deepEqual(echoed['content'], [{ type: 'text', text: 'Echo: hello' }])
    const listed = await client.callTool('files_list_directory', { path: '.' })
    assert.match(JSON.stringify(listed), /\.gitkeep/)

    const accepted = await client.callTool('greet_and_save', { file: 'story.txt' })
    assert.deepEqual(accepted['structuredContent'], { answer: 'accept', saved: true })
    said.push(`greet_and_save: ${JSON.stringify(accepted['structuredContent'])}`)
    said.push(`files/story.txt: ${await readFile(saved, 'utf8')}`)
    await rm(saved)

    const declined = await client.callTool('greet_and_save', { file: 'story.txt' })
    assert.deepEqual(declined['structuredContent'], { answer: 'decline', saved: false })
    said.push(`greet_and_save: ${JSON.stringify(declined['structuredContent'])}`)
    await assert.rejects(readFile(saved), { code: 'ENOENT' })
    return said
  } finally {
    await client.close()
    await gateway.stop()
  }
}
