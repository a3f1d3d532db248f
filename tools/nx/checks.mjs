import { command } from './command.mjs'

const everyPackageBuilt = [{ projects: ['packages/*'], target: 'build' }]
const lintSetup = ['{workspaceRoot}/.eslintrc.json', '{workspaceRoot}/eslint.config.mjs']
const manifests = ['{workspaceRoot}/**/package.json']
const sources = ['{workspaceRoot}/packages/*/src/**/*', '{workspaceRoot}/packages/*/tsconfig*.json']

/** The checks of the whole workspace: `nx check tools` runs them all. */
export const checks = {
  check: {
    executor: 'nx:noop',
    dependsOn: [
      'check-boundaries',
      'check-refusal',
      'check-manifests',
      'check-packages',
      'check-links',
      'check-docs',
      'check-format',
    ],
  },
  'check-boundaries': check('boundaries', [...lintSetup, ...manifests, '{workspaceRoot}/packages/*/src/**/index.ts']),
  'check-refusal': check('refusal', [...lintSetup, ...manifests, ...sources]),
  'check-manifests': { ...check('manifests', [...manifests, ...sources]), dependsOn: everyPackageBuilt },
  'check-packages': {
    ...check('packages', [
      ...manifests,
      ...sources,
      '{workspaceRoot}/README.md',
      '{workspaceRoot}/packages/*/README.md',
    ]),
    dependsOn: everyPackageBuilt,
  },
  // A link may lead to any file, so any change can break one.
  'check-links': { ...check('links', []), cache: false },
  'check-docs': check('docs', [...manifests, ...sources, '{workspaceRoot}/tsconfig.base.json']),
  'check-format': command(
    'prettier --check --log-level warn packages tools e2e examples "*.{json,mjs}" .eslintrc.json',
  ),
}

function check(name, inputs) {
  return {
    ...command(`node tools/check-${name}.mjs`),
    inputs: ['default', 'sharedGlobals', ...inputs],
    outputs: [`{projectRoot}/.reports/${name}.json`],
    cache: true,
  }
}
