/** What a promise rejects with. Fails when it resolves instead. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ settled: 'resolved', value }) as const,
    (error: unknown) => ({ settled: 'rejected', error }) as const,
  )
  if (outcome.settled === 'rejected') return outcome.error
  throw new Error(`expected a rejection, got ${JSON.stringify(outcome.value)}`)
}
