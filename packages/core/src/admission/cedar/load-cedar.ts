import * as Effect from 'effect/Effect'

/** The Cedar engine. */
export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

/** Loads the engine: 4 MB of WebAssembly, so only a server with policies pays for it. */
export const loadCedar: Effect.Effect<Cedar> = Effect.promise(() => import('@cedar-policy/cedar-wasm/nodejs'))
