// Packs each published package as a release does, inspects the tarballs, and embeds the core without the MCP SDK.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleProblems, importProblems, installAlone, installedSdk } from './packaging/embed.mjs'
import { contentProblems, publintProblems, typesProblems } from './packaging/inspect.mjs'
import { pack } from './packaging/pack.mjs'
import { publishablePackages } from './packaging/publishable.mjs'
import { report } from './report.mjs'

const embedded = ['packages/domain', 'packages/composer', 'packages/core']
const workplace = mkdtempSync(join(tmpdir(), 'vmcp-packages-'))
process.once('exit', () => rmSync(workplace, { recursive: true, force: true }))

const packed = await Promise.all(publishablePackages().map((folder) => pack(folder, workplace)))
const inspected = await Promise.all(packed.map(inspect))
report('packages', [...inspected.flat(), ...(await embed())])

async function inspect(packed) {
  return [
    [`${packed.folder} ships what it promises`, contentProblems(packed)],
    [`${packed.folder} satisfies publint`, await publintProblems(packed)],
    [`${packed.folder} has the right types`, await typesProblems(packed)],
  ]
}

async function embed() {
  const alone = packed.filter(({ folder }) => embedded.includes(folder))
  const project = await installAlone(alone, workplace)
  return [
    ['domain, composer and core install without the MCP SDK', installedSdk(project)],
    ['domain, composer and core import alone', await importProblems(alone, project)],
    ["the README's embedding example runs", await exampleProblems(project)],
  ]
}
