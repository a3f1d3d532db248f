import { setFlagsFromString } from 'node:v8'

/**
 * The Cedar engine, imported where it is needed and nowhere else: some 20 ms and 15 MB. It is there at once, so that a
 * wrong policy is found before anything starts.
 */
export * as cedar from '@cedar-policy/cedar-wasm/nodejs'

/** What the engine can do. */
export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

// V8 inlines hot calls into WebAssembly, and ends the process ("unreachable code", Deoptimizer) when it has to undo that
// during a call that answers an object, as every call of Cedar does. Seen with V8 11.3 (Node 20); Node 22 has the flag too.
if (Number.parseInt(process.versions.v8, 10) < 13) setFlagsFromString('--no-turbo-inline-js-wasm-calls')
