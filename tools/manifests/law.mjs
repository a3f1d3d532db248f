// What each package may depend on. A new dependency is a reviewed line here and in .eslintrc.json.
const everywhere = { own: ['testing'], external: ['vitest', 'fast-check'] }
const fixtureSdk = ['core', 'node', 'sdk', 'server'].map((name) => `@modelcontextprotocol/${name}`)
// The official suite is a program that e2e starts, not a library: nothing in it can be imported, and lint refuses to try.
const conformanceSuite = '@modelcontextprotocol/conformance'
const schemas = ['ajv', 'ajv-formats']

/** By folder: `own` are @vmcp packages, `external` registry packages, `development` registry packages for tests only. */
export const law = {
  'packages/domain': { own: [], external: [] },
  'packages/composer': { own: ['domain'], external: ['effect', 'jose', ...schemas] },
  'packages/core': { own: ['domain', 'composer'], external: ['effect', ...schemas, '@cedar-policy/cedar-wasm'] },
  'packages/sdk-adapter': {
    own: ['domain'],
    external: ['jose', 'undici', '@modelcontextprotocol/client'],
    development: ['zod', ...fixtureSdk],
  },
  'packages/auth': { own: ['domain'], external: [] },
  'packages/serve': { own: ['domain', 'sdk-adapter'], external: ['effect'] },
  'packages/gateway': {
    own: ['domain', 'composer', 'core', 'sdk-adapter', 'auth', 'serve'],
    external: ['commander', 'pino', 'yaml', 'zod'],
    development: ['ajv'],
  },
  'packages/testing': { own: ['domain'], external: ['vitest', 'fast-check'] },
  e2e: {
    own: ['domain', 'core', 'sdk-adapter', 'serve', 'gateway', 'testing'],
    external: [],
    development: [conformanceSuite],
  },
  examples: {
    own: ['domain', 'core', 'sdk-adapter', 'serve', 'gateway'],
    external: ['@modelcontextprotocol/server-everything', '@modelcontextprotocol/server-filesystem'],
  },
}

/** The MCP SDK, and everything else in its scope. */
export const isSdk = (name) => name.startsWith('@modelcontextprotocol/')

/** True for the packages whose users get the SDK: the adapter, and what stands on it. */
export const mayReachSdk = (folder) => folder === 'packages/sdk-adapter' || law[folder].own.includes('sdk-adapter')

/** True when `folder` may list `name` under `kind` in its manifest. */
export function mayDependOn(folder, kind, name) {
  const { own, external, development = [] } = law[folder]
  const extra = kind === 'devDependencies' ? everywhere : { own: [], external: [] }
  if (name.startsWith('@vmcp/')) return [...own, ...extra.own].includes(name.slice('@vmcp/'.length))
  return [...external, ...extra.external, ...(kind === 'devDependencies' ? development : [])].includes(name)
}
