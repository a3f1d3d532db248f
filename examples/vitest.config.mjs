export { default } from '../tools/vitest.scenarios.mjs'
