// Every kind of import that lint must refuse, as [claim, file, source, rules]. The files exist in memory only.
const legacySdk = '@modelcontextprotocol/sdk'
const core = (name, source, ...rules) => [`core: ${name}`, 'packages/core/src/probe.ts', source, ...rules]
const from = (layer, specifier, file = 'probe.ts') => [
  `${layer}${file === 'probe.ts' ? '' : ` (${file})`} imports ${specifier}`,
  `packages/${layer}/src/${file}`,
  `import * as it from '${specifier}'\nexport const probe = it\n`,
]

/** The MCP SDK named in each form that TypeScript, Node and vitest know. */
const sdkInAnyForm = [
  core('SDK root', `import { Client } from '@modelcontextprotocol/client'\nexport const probe = Client`),
  core('SDK deep import', `import { Tool } from '${legacySdk}/types.js'\nexport const probe = Tool`),
  core('import type', `import type { Tool } from '${legacySdk}/types.js'\nexport type Probe = Tool`),
  core('inline type', `import { type Tool } from '${legacySdk}/types.js'\nexport type Probe = Tool`),
  core('side-effect import', `import '${legacySdk}/types.js'`),
  core('dynamic import', `export const probe = () => import('${legacySdk}/client/index.js')`),
  core('dynamic import, template', `export const probe = () => import(\`${legacySdk}/types.js\`)`),
  core('dynamic import, computed', `export const probe = (path: string) => import('@modelcontextprotocol/' + path)`),
  core('dynamic import, variable', `export const probe = (path: string) => import(path)`),
  core('re-export', `export { McpServer } from '@modelcontextprotocol/server'`),
  core('re-export all', `export * from '${legacySdk}/types.js'`),
  core('re-export all as', `export * as sdk from '${legacySdk}/types.js'`),
  core('export type', `export type { Tool } from '${legacySdk}/types.js'`),
  core('import() type', `export type Probe = import('${legacySdk}/types.js').Tool`),
  core('typeof import()', `export type Probe = typeof import('${legacySdk}/types.js')`),
  core('import =', `import sdk = require('${legacySdk}/types.js')\nexport const probe = sdk`),
  core('require', `export const probe = require('${legacySdk}/types.js')`),
  core(
    'createRequire',
    `import { createRequire } from 'node:module'\nexport const probe = createRequire(import.meta.url)('${legacySdk}/types.js')`,
  ),
  core(
    'createRequire of a name in pieces',
    `import { createRequire } from 'module'\nexport const probe = createRequire`,
  ),
  core('getBuiltinModule', `export const probe = process.getBuiltinModule('node:module')`),
  core('import.meta.resolve', `export const probe = import.meta.resolve('${legacySdk}/types.js')`),
  core('vi.mock', `import { vi } from 'vitest'\nvi.mock('${legacySdk}/types.js')`),
  core('triple slash', `/// <reference types="${legacySdk}" />\nexport const probe = 1`),
  core(
    'declare module',
    `declare module '${legacySdk}/types.js' {\n  interface Probe {\n    probe: 1\n  }\n}\nexport {}`,
  ),
  core(
    'under eslint-disable',
    `/* eslint-disable */\nimport { Client } from '@modelcontextprotocol/client'\nexport const probe = Client`,
  ),
  core(
    'under eslint-disable-next-line',
    `// eslint-disable-next-line\nimport { Client } from '@modelcontextprotocol/client'\nexport const probe = Client`,
  ),
  core(
    'relative path into node_modules',
    `import { Tool } from '../../../node_modules/${legacySdk}/dist/esm/types.js'\nexport const probe = Tool`,
  ),
  core(
    'a subpath that is not installed',
    `import { it } from '@modelcontextprotocol/express'\nexport const probe = it`,
  ),
]

const sdkInAnyPlace = [
  ...['domain', 'composer', 'auth', 'serve', 'gateway', 'testing'].map((layer) =>
    from(layer, '@modelcontextprotocol/client'),
  ),
  ...['composer', 'core', 'serve', 'gateway'].map((layer) =>
    from(layer, '@modelcontextprotocol/client', 'probe.test.ts'),
  ),
  [
    'e2e names the SDK',
    'e2e/probe.test.ts',
    `import { Client } from '@modelcontextprotocol/client'\nexport const probe = Client`,
  ],
  [
    'e2e imports the conformance suite',
    'e2e/conformance/probe.test.ts',
    `import * as it from '@modelcontextprotocol/conformance'\nexport const probe = it`,
  ],
  [
    'e2e imports the conformance suite, JavaScript',
    'e2e/conformance/probe.mjs',
    `export const probe = () => import('@modelcontextprotocol/conformance/dist/index.js')`,
  ],
  [
    'examples name the SDK',
    'examples/probe.ts',
    `import { Client } from '@modelcontextprotocol/client'\nexport const probe = Client`,
  ],
  [
    '1.x SDK in the adapter at run time',
    'packages/sdk-adapter/src/probe.ts',
    `import { Client } from '${legacySdk}/client/index.js'\nexport const probe = Client`,
  ],
  ...['node', 'server', 'core'].map((name) => from('sdk-adapter', `@modelcontextprotocol/${name}`)),
]

const sdkInManifests = [
  ['core manifest', 'packages/core/package.json', `{ "dependencies": { "@modelcontextprotocol/client": "2.4.0" } }`],
  ['core manifest, development', 'packages/core/package.json', `{ "devDependencies": { "${legacySdk}": "1.32.2" } }`],
  ['core manifest, alias', 'packages/core/package.json', `{ "dependencies": { "hidden": "npm:${legacySdk}@1.32.2" } }`],
  ['root manifest', 'package.json', `{ "devDependencies": { "${legacySdk}": "1.32.2" } }`],
  [
    'core manifest, conformance suite',
    'packages/core/package.json',
    `{ "devDependencies": { "@modelcontextprotocol/conformance": "0.2.0-alpha.12" } }`,
  ],
  ['e2e manifest, alias', 'e2e/package.json', `{ "devDependencies": { "hidden": "npm:${legacySdk}@1.32.2" } }`],
  ['e2e manifest', 'e2e/package.json', `{ "devDependencies": { "${legacySdk}": "1.32.2" } }`],
  [
    'examples manifest, a library',
    'examples/package.json',
    `{ "dependencies": { "@modelcontextprotocol/client": "2.4.0" } }`,
  ],
]

/** Imports that point up or sideways in the layering. */
const layering = [
  ...['composer', 'core', 'sdk-adapter', 'auth', 'serve', 'gateway', 'testing'].map((layer) =>
    from('domain', `@vmcp/${layer}`),
  ),
  ...['core', 'sdk-adapter', 'auth', 'serve', 'gateway', 'testing'].map((layer) => from('composer', `@vmcp/${layer}`)),
  ...['sdk-adapter', 'auth', 'serve', 'gateway', 'testing'].map((layer) => from('core', `@vmcp/${layer}`)),
  ...['composer', 'core', 'auth', 'serve', 'gateway', 'testing'].map((layer) => from('sdk-adapter', `@vmcp/${layer}`)),
  ...['composer', 'core', 'sdk-adapter', 'serve', 'gateway', 'testing'].map((layer) => from('auth', `@vmcp/${layer}`)),
  ...['composer', 'core', 'auth', 'gateway', 'testing'].map((layer) => from('serve', `@vmcp/${layer}`)),
  ...['composer', 'core', 'sdk-adapter', 'auth', 'serve', 'gateway'].map((layer) => from('testing', `@vmcp/${layer}`)),
  from('gateway', '@vmcp/testing'),
  core('type of an upper layer', `import type { Serve } from '@vmcp/serve'\nexport type Probe = Serve`),
  core('upward, relative', `import { serve } from '../../serve/src/index.js'\nexport const probe = serve`),
  core('allowed layer, relative', `import type { Tool } from '../../domain/src/index.js'\nexport type Probe = Tool`),
  core('allowed layer, relative, mocked', `import { vi } from 'vitest'\nvi.mock('../../domain/src/index.js')`),
  core('allowed layer, built file', `import type { Tool } from '@vmcp/domain/dist/index.js'\nexport type Probe = Tool`),
  core(
    'allowed layer, inner file',
    `import type { Tool } from '@vmcp/domain/src/capability/tool.js'\nexport type Probe = Tool`,
  ),
  core('tools', `import base from '../../../tools/vitest.base.mjs'\nexport const probe = base`),
  ['an unknown package', 'packages/rogue/src/index.ts', 'export const probe = 1'],
  ['e2e imports composer', 'e2e/probe.test.ts', `import * as it from '@vmcp/composer'\nexport const probe = it`],
  ['examples import testing', 'examples/probe.ts', `import * as it from '@vmcp/testing'\nexport const probe = it`],
]

/** The private door of sdk-adapter, from production code. */
const testingDoor = [
  ...['domain', 'composer', 'core', 'auth', 'serve', 'gateway', 'testing'].map((layer) =>
    from(layer, '@vmcp/sdk-adapter/testing'),
  ),
  from('core', '@vmcp/sdk-adapter/testing', 'probe.test.ts'),
  from('sdk-adapter', './testing/index.js'),
  from('serve', './testing/start-server.js'),
  from('core', '../test-support/fakes.js', 'aggregator/probe.ts'),
  from('core', 'vitest', 'verbs/probe.ts'),
  from('sdk-adapter', '../testing/index.js', 'inbound/probe.ts'),
]

const externals = [
  ...['effect/Effect', 'zod', 'ajv', 'node:crypto', 'node:fs', 'vitest'].map((name) => from('domain', name)),
  from('composer', 'node:v8'),
  from('domain', 'effect/Effect', 'probe.test.ts'),
  ...['zod', 'undici', '@cedar-policy/cedar-wasm/nodejs', 'node:http', 'node:fs', 'vitest'].map((name) =>
    from('composer', name),
  ),
  ...['zod', 'undici', 'pino', 'express', 'node:http', 'node:child_process', 'vitest', 'fast-check'].map((name) =>
    from('core', name),
  ),
  ...['effect/Effect', 'zod', 'pino', 'ajv', 'commander'].map((name) => from('sdk-adapter', name)),
  ...['effect/Effect', 'zod', 'undici'].map((name) => from('auth', name)),
  ...['zod', 'pino', 'undici'].map((name) => from('serve', name)),
  ...['effect/Effect', 'undici', 'express'].map((name) => from('gateway', name)),
  ...['effect/Effect', 'zod'].map((name) => from('testing', name)),
  from('core', 'vitest', 'tools/probe.ts'),
]

const effectModules = [
  ...[
    'effect',
    'effect/index',
    'effect/ai',
    'effect/ai/McpServer',
    'effect/http',
    'effect/cli',
    'effect/rpc',
    'effect/sql',
  ].map((name) => from('core', name)),
  from('core', 'effect', 'probe.test.ts'),
  from('core', 'effect/ai/McpServer', 'probe.test.ts'),
  from('core', 'effect/testing/TestClock'),
]

/** Ambient state below serve, in each form. */
const ambientState = [
  ...['domain', 'composer', 'core', 'sdk-adapter', 'auth', 'testing'].flatMap((layer) => [
    from(layer, 'node:async_hooks'),
    from(layer, 'async_hooks'),
  ]),
  from('sdk-adapter', 'node:async_hooks', 'testing/probe.ts'),
  from('sdk-adapter', 'node:async_hooks', 'probe.test.ts'),
  core(
    'AsyncLocalStorage, named',
    `import { AsyncLocalStorage } from 'node:async_hooks'\nexport const probe = AsyncLocalStorage`,
  ),
  core(
    'AsyncLocalStorage, type',
    `import type { AsyncLocalStorage } from 'node:async_hooks'\nexport type Probe = AsyncLocalStorage<1>`,
  ),
  core('AsyncLocalStorage, dynamic', `export const probe = () => import('node:async_hooks')`),
  core('AsyncLocalStorage, re-export', `export { AsyncLocalStorage } from 'node:async_hooks'`),
  core('AsyncLocalStorage, import() type', `export type Probe = import('node:async_hooks').AsyncLocalStorage<1>`),
  core('AsyncLocalStorage, getBuiltinModule', `export const probe = process.getBuiltinModule('node:async_hooks')`),
  core(
    'AsyncLocalStorage, destructured',
    `const { getBuiltinModule } = process\nexport const probe = getBuiltinModule('async_hooks')`,
  ),
]

const conventions = [
  core('console', `export const probe = () => console.log('probe')`, ['no-console']),
  [
    'gateway: console',
    'packages/gateway/src/probe.ts',
    `export const probe = () => console.error('probe')`,
    ['no-console'],
  ],
  core('default export', `export default 1`, ['no-restricted-exports']),
  core('default export by name', `const probe = 1\nexport { probe as default }`, ['no-restricted-exports']),
  core('any', `export const probe = (value: any) => value`, ['@typescript-eslint/no-explicit-any']),
  core('fetch', `export const probe = () => fetch('http://127.0.0.1')`, ['no-restricted-globals']),
  core('a file over 250 lines', `export const probe = [\n${'  1,\n'.repeat(250)}]\n`, ['max-lines']),
]

const boundaryRules = [
  'boundaries/dependencies',
  'boundaries/no-unknown-files',
  'no-restricted-syntax',
  '@typescript-eslint/triple-slash-reference',
  '@typescript-eslint/no-require-imports',
  'no-restricted-imports',
]
const boundaryCases = [
  ...sdkInAnyForm,
  ...sdkInAnyPlace,
  ...sdkInManifests,
  ...layering,
  ...testingDoor,
  ...externals,
  ...effectModules,
  ...ambientState,
]

/** With the rules of which at least one must complain: any other complaint proves nothing. */
export const forbidden = [...boundaryCases.map((planted) => [...planted, boundaryRules]), ...conventions]
