import type { CoreConfig } from '@vmcp/core'
import type { ConfigProblem, OutgoingAuth, Secret, Workflow } from '@vmcp/domain'
import type { BackendTarget } from '@vmcp/sdk-adapter'

/** A configuration that was checked as a whole. */
export interface GatewayConfig {
  /** The file it came from, for messages. */
  readonly file: string
  readonly name: string
  readonly group: string | undefined
  readonly core: CoreSettings
  readonly backends: readonly ConfiguredBackend[]
  readonly compositeTools: readonly Workflow[]
  /** Absent: a key of this process alone. */
  readonly suspension: SuspensionSettings | undefined
  readonly incoming: 'anonymous' | 'local'
  readonly passthroughHeaders: readonly string[]
  /** What has no effect and was probably meant otherwise, each at its place in the file. */
  readonly warnings: readonly ConfigProblem[]
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
  readonly id: string
  readonly transport: BackendTarget['transport']
  readonly target: BackendTarget
  readonly auth: OutgoingAuth
  readonly metadata: Readonly<Record<string, string>>
}

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>
