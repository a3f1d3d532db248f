import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const entries = [
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/sdk/types.js',
]
const exported =
  /export\s+(?:type\s+)?\{([^}]*)\}|export\s+(?:declare\s+)?(?:const|type|interface|class|function)\s+(\w+)/g

/** Every name about elicitation that the installed SDK exports at its doors: types, schemas, errors and functions. */
export async function sdkElicitationNames(): Promise<readonly string[]> {
  const texts = await Promise.all(entries.map((entry) => readFile(declarationsOf(entry), 'utf8')))
  const names = texts.flatMap((text) => [...text.matchAll(exported)].flatMap(exportedNames))
  return [...new Set(names.filter((name) => name.includes('Elicit')))].sort()
}

function exportedNames([, list, name]: RegExpMatchArray): readonly string[] {
  if (list === undefined) return name === undefined ? [] : [name]
  return list.split(',').map((part) => part.trim().split(/\s+/).at(-1) ?? '')
}

function declarationsOf(entry: string): string {
  return fileURLToPath(import.meta.resolve(entry)).replace(/\.(m?)js$/, '.d.$1ts')
}
