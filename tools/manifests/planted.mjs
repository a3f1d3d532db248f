// Manifests, lockfiles and built files that break the law, as [claim, problems found]: each must find some.
import { builtProblems } from './built.mjs'
import { manifestProblems, rootProblems } from './declared.mjs'
import { transitiveProblems } from './transitive.mjs'

const sdk = '@modelcontextprotocol/sdk'
const suite = '@modelcontextprotocol/conformance'
const core = (manifest) => manifestProblems('packages/core', { name: '@vmcp/core', type: 'module', ...manifest })
const built = (files, folder = 'packages/core') => builtProblems(folder, new Map(Object.entries(files)))

const manifests = [
  ...['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) => [
    [`core names the SDK in ${kind}`, core({ [kind]: { [sdk]: '1.32.2' } })],
    [`core names an upper layer in ${kind}`, core({ [kind]: { '@vmcp/serve': '0.1.0' } })],
    [`the root names the SDK in ${kind}`, rootProblems({ [kind]: { [sdk]: '1.32.2' } })],
  ]),
  ['core hides the SDK behind an alias', core({ dependencies: { ajv: `npm:${sdk}@1.32.2` } })],
  ['core takes a git dependency', core({ dependencies: { ajv: 'github:someone/ajv' } })],
  ['core takes a version range', core({ dependencies: { ajv: '^8.20.0' } })],
  ['core bundles dependencies', core({ bundleDependencies: ['ajv'] })],
  ['core takes an unlisted package', core({ dependencies: { express: '5.3.0' } })],
  ['core takes testing at run time', core({ dependencies: { '@vmcp/testing': '0.1.0' } })],
  [
    'domain takes any package',
    manifestProblems('packages/domain', { name: '@vmcp/domain', type: 'module', dependencies: { ajv: '8.20.0' } }),
  ],
  [
    'the adapter takes the 1.x SDK at run time',
    manifestProblems('packages/sdk-adapter', {
      name: '@vmcp/sdk-adapter',
      type: 'module',
      dependencies: { [sdk]: '1.32.2' },
    }),
  ],
  [
    'e2e names the SDK',
    manifestProblems('e2e', { name: '@vmcp/e2e', type: 'module', devDependencies: { [sdk]: '1.32.2' } }),
  ],
  [
    'e2e takes the conformance suite at run time',
    manifestProblems('e2e', { name: '@vmcp/e2e', type: 'module', dependencies: { [suite]: '0.2.0-alpha.12' } }),
  ],
  [
    'examples take the conformance suite',
    manifestProblems('examples', {
      name: '@vmcp/examples',
      type: 'module',
      devDependencies: { [suite]: '0.2.0-alpha.12' },
    }),
  ],
  ['core takes the conformance suite', core({ devDependencies: { [suite]: '0.2.0-alpha.12' } })],
  [
    'the adapter takes the conformance suite',
    manifestProblems('packages/sdk-adapter', {
      name: '@vmcp/sdk-adapter',
      type: 'module',
      devDependencies: { [suite]: '0.2.0-alpha.12' },
    }),
  ],
  ['the root names the conformance suite', rootProblems({ devDependencies: { [suite]: '0.2.0-alpha.12' } })],
  [
    'examples name an SDK library',
    manifestProblems('examples', { name: '@vmcp/examples', type: 'module', dependencies: { [sdk]: '1.32.2' } }),
  ],
  ['a package without a law', manifestProblems('packages/rogue', { name: '@vmcp/rogue', type: 'module' })],
]

const lockfiles = [
  [
    'a dependency brings the SDK',
    transitiveProblems('packages/core', {
      'packages/core': { dependencies: { bridge: '1' } },
      'node_modules/bridge': { dependencies: { [sdk]: '1' } },
    }),
  ],
  [
    'a nested dependency brings the SDK',
    transitiveProblems('packages/core', {
      'packages/core': { dependencies: { bridge: '1' } },
      'packages/core/node_modules/bridge': { peerDependencies: { [sdk]: '1' } },
    }),
  ],
  [
    'a workspace package brings the SDK',
    transitiveProblems('packages/core', {
      'packages/core': { dependencies: { '@vmcp/composer': '1' } },
      'node_modules/@vmcp/composer': { link: true, resolved: 'packages/composer' },
      'packages/composer': { optionalDependencies: { [sdk]: '1' } },
    }),
  ],
]

const outputs = [
  ['a built module names the SDK', built({ 'index.d.ts': '', 'inner/a.js': `import { x } from '${sdk}/types.js'` })],
  ['a package is not built', built({})],
  ...['effect/Effect', 'effect', 'zod', '@modelcontextprotocol/core'].flatMap((name) => [
    [
      `a public type names ${name}`,
      built({ 'index.d.ts': `export type { A } from '${name}'` }, 'packages/sdk-adapter'),
    ],
    [
      `a type behind the door names ${name}`,
      built(
        {
          'index.d.ts': `export * from './a/b.js'`,
          'a/b.d.ts': `export { C } from "../c.js"`,
          'c.d.ts': `export type C = import("${name}").D`,
        },
        'packages/sdk-adapter',
      ),
    ],
  ]),
]

export const planted = [...manifests, ...lockfiles, ...outputs]
