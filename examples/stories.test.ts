import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { run as quickStart } from './01-quick-start/run.js'
import { run as yourOwnDecorator } from './02-your-own-decorator/run.js'
import { run as releaseAVersion } from './03-release-a-version/run.js'
import { run as policies } from './04-policies/run.js'

const stories = {
  '01-quick-start': quickStart,
  '02-your-own-decorator': yourOwnDecorator,
  '03-release-a-version': releaseAVersion,
  '04-policies': policies,
}
const folder = fileURLToPath(new URL('.', import.meta.url))

describe.each(Object.entries(stories))('%s', (name, run) => {
  it('ends as its README quotes it', async () => {
    const said = (await run()).join('\n')
    const readme = await readFile(`${folder}${name}/README.md`, 'utf8')

    expect(said).toBe(/^```text\n([^]*?)\n```$/m.exec(readme)?.[1])
  })
})

describe('the index of the stories', () => {
  it('names every story, and each runs here', async () => {
    const folders = (await readdir(folder)).filter((entry) => /^\d\d-/.test(entry)).sort()
    const index = await readFile(`${folder}README.md`, 'utf8')

    expect(Object.keys(stories)).toEqual(folders)
    expect(folders.filter((story) => !index.includes(`(${story}/README.md)`))).toEqual([])
  })
})
