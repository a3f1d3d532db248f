/** A protocol era: 2025-11-25 and older (sessions), or 2026-07-28 (stateless). */
export type Era = '2025' | '2026'

/** The revision of the stateless era. */
export const statelessVersion = '2026-07-28'

/** The newest revision with sessions: what a client that asks for an unknown one is offered. */
export const latestSessionVersion = '2025-11-25'

/** The revisions with sessions that are spoken here, newest first. */
export const sessionVersions: readonly string[] = [
  latestSessionVersion,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]

/** Every revision spoken here, newest first. */
export const supportedVersions: readonly string[] = [statelessVersion, ...sessionVersions]
