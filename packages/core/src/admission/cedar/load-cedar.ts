import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import * as Effect from 'effect/Effect'

/** The Cedar engine. */
export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

/** The engine. It is there at once, so that a wrong policy is found before anything starts: some 20 ms and 15 MB. */
export const loadCedar: Effect.Effect<Cedar> = Effect.succeed(cedar)
