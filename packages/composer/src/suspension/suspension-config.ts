/** How a run that must ask a caller who answers by calling again is sealed into a `requestState`. */
export interface SuspensionConfig {
  /**
   * The first seals, all open: put a new key first and keep the old one until its states have expired. Every replica needs
   * the same keys. Absent or empty, a random key is made for this process: another replica, and this one after a restart,
   * then refuses its states.
   */
  readonly keys?: readonly SuspensionKey[]
  /** Milliseconds in which the caller may come back; 10 minutes when absent. */
  readonly ttlMs?: number
  /** Bytes of a `requestState` at most; 262 144 when absent. A run whose state is larger fails instead of asking. */
  readonly maxBytes?: number
  /** Where used states are noted. Absent, this process notes them for itself; replicas need one in common. */
  readonly store?: ReplayStore
}

/** A key for sealing. */
export interface SuspensionKey {
  /** Names the key inside a state; not secret. Each key has its own. */
  readonly id: string
  /** At least 32 bytes, or their Base64. */
  readonly secret: Uint8Array | string
}

/** Notes which states were used, so that what comes after one is done once. */
export interface ReplayStore {
  /** Notes the id until the time in milliseconds since 1970. Resolves with `true` the first time only; atomic. */
  use(stateId: string, expiresAt: number): Promise<boolean>
  /**
   * Forgets the id: no tool was called after that state, so a caller whose answer got lost may come back with it. Without
   * it every state is used once.
   */
  release?(stateId: string): Promise<void>
}
