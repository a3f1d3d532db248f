import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfigText, readConfigFile } from './read-file.js'

const folder = () => mkdtemp(join(tmpdir(), 'vmcp-'))

describe('readConfigFile', () => {
  it('says that a folder is no file', async () => {
    await expect(readConfigFile(await folder())).rejects.toThrow('this is a folder, not a file')
  })

  it('refuses bytes that are not UTF-8 instead of replacing them', async () => {
    const file = join(await folder(), 'vmcp.yaml')
    await writeFile(file, Buffer.from([0x6e, 0x3a, 0x20, 0xff, 0xfe]))
    await expect(readConfigFile(file)).rejects.toThrow('expected text in UTF-8')
  })

  it('does not take a byte order mark for text', async () => {
    const file = join(await folder(), 'vmcp.yaml')
    await writeFile(file, '\ufeffname: a')
    expect((await readConfigFile(file)).data).toEqual({ name: 'a' })
  })
})

describe('parseConfigText', () => {
  it('says of a text without a bottom that it is nested too deeply', () => {
    expect(() => parseConfigText('vmcp.json', `{"a":${'['.repeat(20_000)}`)).toThrow('nested too deeply')
  })
})
