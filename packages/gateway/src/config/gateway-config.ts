import type { CoreConfig } from '@vmcp/core'
import type { ConfigProblem, OutgoingAuth, Secret, Workflow } from '@vmcp/domain'
import type { BackendTarget } from '@vmcp/sdk-adapter'

/** A configuration that was checked as a whole. */
export interface GatewayConfig {
  /** The file it came from, for messages. */
  readonly file: string
  /** The server's name, as clients see it. */
  readonly name: string
  /** The group of backends in the reference (`groupRef`), for messages; it has no effect here. */
  readonly group: string | undefined
  /** What the core is told besides its backends and workflows. */
  readonly core: CoreSettings
  /** The backends, in the order of the file. */
  readonly backends: readonly ConfiguredBackend[]
  /** The workflows to offer as tools; empty when there are none. */
  readonly compositeTools: readonly Workflow[]
  /** Absent: a key of this process alone. */
  readonly suspension: SuspensionSettings | undefined
  /** Who the callers are: everybody `anonymous`, or one `local` user. */
  readonly incoming: 'anonymous' | 'local'
  /** The client's headers that reach the backends; empty when there are none. */
  readonly passthroughHeaders: readonly string[]
  /** What has no effect and was probably meant otherwise, each at its place in the file. */
  readonly warnings: readonly ConfigProblem[]
  /** How much to log; `warn` when undefined. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | undefined
}

/** The part of the core's configuration that a file gives: all but backends, workflows and ports. */
export type CoreSettings = Pick<
  CoreConfig,
  'name' | 'aggregation' | 'authorization' | 'health' | 'timeouts' | 'partialFailureMode'
>

/** How a call that waits for an answer is sealed: the state of a composite tool, and that of a backend. */
export interface SuspensionSettings {
  /** The first seals, all open. The secrets are Base64. */
  readonly keys: readonly { readonly id: string; readonly secret: Secret }[]
  readonly ttlMs?: number
}

/** One backend of the configuration: where it is and which credentials it gets. */
export interface ConfiguredBackend {
  /** Its id: unique in the file. */
  readonly id: string
  /** How it is reached, for status. */
  readonly transport: BackendTarget['transport']
  /** Where it is and how it is spoken with. */
  readonly target: BackendTarget
  /** The credentials it gets. */
  readonly auth: OutgoingAuth
  /** Free facts for status; `{}` when there are none. */
  readonly metadata: Readonly<Record<string, string>>
}

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>
