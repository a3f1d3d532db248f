import base from '../../tools/vitest.base.mjs'

// The tests share no state, and importing both edges anew for each file costs more than running it.
export default { ...base, test: { ...base.test, isolate: false } }
