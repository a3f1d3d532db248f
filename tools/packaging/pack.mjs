import { join } from 'node:path'
import { npmCommand } from '../npm.mjs'
import { runCommand } from '../run-command.mjs'
import { stagePackage } from './stage.mjs'

/** Stages and packs one package: its folder, the staged copy, the tarball's path and the paths inside it. */
export async function pack(folder, workplace) {
  const staged = join(workplace, folder)
  stagePackage(folder, staged)
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', workplace]
  const { status, stdout, output } = await runCommand(staged, [...npmCommand(), ...args])
  if (status !== 0) throw new Error(`npm pack of ${folder} failed:\n${output}`)
  const [{ filename, files }] = Object.values(JSON.parse(stdout))
  return { folder, staged, tarball: join(workplace, filename), paths: files.map((file) => file.path) }
}
