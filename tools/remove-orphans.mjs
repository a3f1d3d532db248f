// Removes from a package's dist what was built from sources that are gone: `tsc -b` leaves it, and it would be packed.
//   node ../../tools/remove-orphans.mjs   (in the folder of the package)
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const built = /\.(?:d\.ts|js)(?:\.map)?$/

for (const file of listed('dist')) {
  if (built.test(file) && !existsSync(join('src', file.replace(built, '.ts')))) rmSync(join('dist', file))
}

function listed(folder) {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
}
