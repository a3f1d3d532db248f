import { mergeConfig } from 'vitest/config'
import base from './vitest.base.mjs'

/** For e2e and examples: real processes and real servers, so more patience and one file at a time. */
const scenarios = mergeConfig(base, {
  test: { testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false, maxConcurrency: 2 },
})
scenarios.test.include = ['**/*.test.ts']

export default scenarios
