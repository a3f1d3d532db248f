import { mergeConfig } from 'vitest/config'
import base from '../../tools/vitest.base.mjs'

// The tests share no state, and importing both edges anew for each file costs more than running it.
export default mergeConfig(base, { test: { isolate: false } })
