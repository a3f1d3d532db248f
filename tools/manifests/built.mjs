import { isSdk } from './law.mjs'

const specifiers = /(?:\bfrom|\bimport|\brequire|<reference types=|declare module)\s*\(?\s*["'`]([^"'`]+)["'`]/g
const mentionsSdk = /["'`]@modelcontextprotocol\//
const privateTypes = (name) => isSdk(name) || /^(effect|zod)(\/|$)/.test(name)

/** What is wrong with one package's built files, a map from path inside dist to text. */
export function builtProblems(folder, files) {
  if (!files.has('index.d.ts')) return [`${folder}: not built, dist/index.d.ts is missing`]
  return [
    ...publicTypeProblems(folder, files),
    ...(folder === 'packages/sdk-adapter' ? [] : sdkMentions(folder, files)),
  ]
}

/** Follows dist/index.d.ts through its relative imports: nothing private may show in a type that users see. */
function publicTypeProblems(folder, files) {
  const problems = []
  const seen = new Set()
  const queue = ['index.d.ts']
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const [, specifier] of (files.get(path) ?? '').matchAll(specifiers)) {
      if (specifier.startsWith('.')) queue.push(declarationOf(path, specifier))
      else if (privateTypes(specifier)) problems.push(`${folder}: public type in dist/${path} names ${specifier}`)
    }
  }
  return problems
}

function declarationOf(path, specifier) {
  const resolved = new URL(specifier, `file:///${path}`).pathname.slice(1)
  return resolved.replace(/\.js$/, '.d.ts')
}

function sdkMentions(folder, files) {
  return [...files]
    .filter(([, text]) => mentionsSdk.test(text))
    .map(([path]) => `${folder}: dist/${path} names the MCP SDK`)
}
