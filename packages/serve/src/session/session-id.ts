import { randomUUID } from 'node:crypto'

/** A new session id: 122 random bits, visible ASCII. */
export function createSessionId(): string {
  return randomUUID()
}
