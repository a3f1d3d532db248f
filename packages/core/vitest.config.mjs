export { default } from '../../tools/vitest.base.mjs'
