// Feeds .eslintrc.json, the only place where rules are written, to ESLint 10.
import { FlatCompat } from '@eslint/eslintrc'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const baseDirectory = fileURLToPath(new URL('.', import.meta.url))
const { ignorePatterns, noInlineConfig, ...config } = JSON.parse(readFileSync(`${baseDirectory}.eslintrc.json`, 'utf8'))
delete config.root

export default [
  { ignores: ignorePatterns },
  { linterOptions: { noInlineConfig } },
  ...new FlatCompat({ baseDirectory, resolvePluginsRelativeTo: baseDirectory }).config(config),
]
