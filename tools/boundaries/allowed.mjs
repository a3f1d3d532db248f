// Every import that the layering allows, as [claim, file, source]: a rule that refuses one of them is too strict.
const from = (layer, specifier, file = 'probe.ts') => [
  `${layer}${file === 'probe.ts' ? '' : ` (${file})`} imports ${specifier}`,
  `packages/${layer}/src/${file}`,
  `import * as it from '${specifier}'\nexport const probe = it\n`,
]
const each = (layer, specifiers, file) => specifiers.map((specifier) => from(layer, specifier, file))
const at = (file, specifier) => [
  `${file} imports ${specifier}`,
  file,
  `import * as it from '${specifier}'\nexport const probe = it\n`,
]

const production = [
  ...each('composer', [
    '@vmcp/domain',
    'effect/Effect',
    'ajv/dist/2020.js',
    'ajv-formats',
    'node:buffer',
    'node:crypto',
  ]),
  ...each('core', ['@vmcp/domain', '@vmcp/composer', 'effect/Effect', 'effect/Layer', 'ajv/dist/2020.js']),
  ...each('core', ['ajv-formats', '@cedar-policy/cedar-wasm/nodejs', 'node:crypto', 'node:v8', './index.js']),
  ...each('sdk-adapter', ['@vmcp/domain', '@modelcontextprotocol/client', 'jose', 'undici', 'node:child_process']),
  ...each('auth', ['@vmcp/domain', 'node:crypto']),
  ...each('serve', ['@vmcp/domain', '@vmcp/sdk-adapter', 'effect/Effect', 'node:http', 'node:async_hooks']),
  ...each(
    'gateway',
    ['domain', 'composer', 'core', 'sdk-adapter', 'auth', 'serve'].map((layer) => `@vmcp/${layer}`),
  ),
  ...each('gateway', ['commander', 'pino', 'yaml', 'zod', 'node:fs']),
  ...each('testing', ['@vmcp/domain', 'vitest', 'fast-check']),
]

const tests = [
  ...each('core', ['vitest', '@vmcp/testing'], 'aggregator/test-support/probe.ts'),
  at('packages/composer/test/probe.ts', 'effect/testing/TestClock'),
  ...each('serve', ['vitest', '@vmcp/testing', '@vmcp/sdk-adapter/testing'], 'testing/probe.ts'),
  ...['domain', 'composer', 'core', 'sdk-adapter', 'auth', 'serve', 'gateway'].flatMap((layer) =>
    each(layer, ['vitest', 'fast-check', '@vmcp/testing'], 'probe.test.ts'),
  ),
  ...['composer', 'core', 'serve'].map((layer) => from(layer, 'effect/testing/TestClock', 'probe.test.ts')),
  ...['sdk-adapter', 'serve', 'gateway'].map((layer) => from(layer, '@vmcp/sdk-adapter/testing', 'probe.test.ts')),
  ...each('sdk-adapter', ['@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/node'], 'probe.test.ts'),
  ...each('sdk-adapter', ['@modelcontextprotocol/server', './testing/index.js'], 'probe.test.ts'),
  ...each('sdk-adapter', ['@modelcontextprotocol/sdk/types.js', '@modelcontextprotocol/node'], 'testing/probe.ts'),
  ...each('sdk-adapter', ['@modelcontextprotocol/client', '../index.js', 'node:http'], 'testing/probe.ts'),
]

const around = [
  ...['domain', 'core', 'gateway', 'sdk-adapter', 'sdk-adapter/testing', 'serve', 'testing'].map((name) =>
    at('e2e/probe.test.ts', `@vmcp/${name}`),
  ),
  at('e2e/probe.test.ts', 'node:child_process'),
  at('e2e/probe.test.ts', 'vitest'),
  ...['domain', 'core', 'gateway', 'sdk-adapter', 'sdk-adapter/testing', 'serve'].map((name) =>
    at('examples/01-quick-start/probe.ts', `@vmcp/${name}`),
  ),
  at('examples/probe.test.ts', 'vitest'),
  at('tools/probe.mjs', 'eslint'),
  ['vitest.config.mjs', 'packages/core/vitest.config.mjs', `export { default } from '../../tools/vitest.base.mjs'`],
]

const manifests = [
  [
    'adapter manifest',
    'packages/sdk-adapter/package.json',
    `{ "dependencies": { "@modelcontextprotocol/client": "2.4.0" } }`,
  ],
  [
    'e2e manifest, conformance suite',
    'e2e/package.json',
    `{ "devDependencies": { "@modelcontextprotocol/conformance": "0.2.0-alpha.12" } }`,
  ],
  [
    'examples manifest, demo servers',
    'examples/package.json',
    `{ "dependencies": { "@modelcontextprotocol/server-everything": "1" } }`,
  ],
]

export const allowed = [...production, ...tests, ...around, ...manifests]
