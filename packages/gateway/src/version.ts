import { readFileSync } from 'node:fs'

/** The version of the gateway package. */
export const version = readVersion()

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return (manifest as { readonly version: string }).version
}
