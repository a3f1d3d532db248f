/** A promise and the ways to settle it (`Promise.withResolvers`, which Node 20 lacks). */
export interface Deferred<Value> {
  readonly promise: Promise<Value>
  resolve(value: Value): void
}

/** Makes a promise that a test settles. */
export function deferred<Value = void>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
