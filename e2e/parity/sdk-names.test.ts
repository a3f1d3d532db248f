import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sdkElicitationNames } from '@vmcp/sdk-adapter/testing'
import { describe, expect, it } from 'vitest'

const workspace = fileURLToPath(new URL('../../', import.meta.url))
const skipped = /(^|\/)(node_modules|dist|\..+)(\/|$)/

/** The source files of everything but the adapter. */
async function sourceFiles(): Promise<readonly string[]> {
  const folders = ['packages', 'e2e', 'examples']
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(workspace + folder, { recursive: true })).map((file) => `${folder}/${file}`),
    ),
  )
  return files
    .flat()
    .filter((file) => /\.(c|m)?(ts|js)$/.test(file) && !skipped.test(file) && !file.startsWith('packages/sdk-adapter/'))
}

function namesIn(text: string, names: readonly string[]): readonly string[] {
  const words = new Set(text.match(/\w+/g))
  return names.filter((name) => words.has(name))
}

describe('the names that the SDK gives to elicitation', () => {
  it('are found at its doors, and none is one of ours', async () => {
    const names = await sdkElicitationNames()
    const domain = await readFile(`${workspace}packages/domain/src/index.ts`, 'utf8')

    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => name.endsWith('Result'))).not.toEqual([])
    expect(namesIn(domain, names)).toEqual([])
    expect(namesIn(`type Answer = ${names[0]}`, names)).toEqual([names[0]])
  })

  it('are used by the adapter alone', async () => {
    const names = await sdkElicitationNames()
    const files = await sourceFiles()
    const found = await Promise.all(
      files.map(async (file) => [file, namesIn(await readFile(workspace + file, 'utf8'), names)] as const),
    )

    expect(files.length).toBeGreaterThan(300)
    expect(found.filter(([, used]) => used.length > 0)).toEqual([])
  })
})
