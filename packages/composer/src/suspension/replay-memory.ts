import type { ReplayStore } from './suspension-config.js'

/** Notes used states in this process. A noted state is forgotten when it has expired anyway. */
export function createReplayMemory(now: () => number = Date.now): ReplayStore {
  const used = new Map<string, number>()
  return {
    async use(stateId, expiresAt) {
      for (const [id, expiry] of used) {
        if (expiry >= now()) break
        used.delete(id)
      }
      if (used.has(stateId)) return false
      used.set(stateId, expiresAt)
      return true
    },
    async release(stateId) {
      used.delete(stateId)
    },
  }
}
