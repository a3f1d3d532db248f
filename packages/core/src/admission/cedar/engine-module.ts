/**
 * The Cedar engine, imported where it is needed and nowhere else: some 20 ms and 15 MB. It is there at once, so that a
 * wrong policy is found before anything starts.
 */
export * as cedar from '@cedar-policy/cedar-wasm/nodejs'

/** What the engine can do. */
export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')
