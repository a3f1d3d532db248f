import type { Identity, JsonObject, VMCP } from '@vmcp/domain'

/** One name of each kind: a tool's name, a resource's URI, a prompt's name. */
export interface ContractNames {
  readonly tool: string
  readonly resource: string
  readonly prompt: string
}

/** A `VMCP` and what the contract suite needs to know of it. Made anew for each test; the suite closes it. */
export interface ContractSubject {
  readonly vmcp: VMCP
  /** The caller all names below are meant for. */
  readonly identity: Identity | null
  /** Listed for the caller, and answering at once. The tool must accept `toolArguments`. */
  readonly allowed: ContractNames
  readonly toolArguments?: JsonObject
  /** Offered by a backend and refused to the caller. */
  readonly refused: ContractNames
  /** Offered by nobody, and refused in the same way as `refused`. */
  readonly refusedMissing: ContractNames
  /** Offered by nobody, and not refused: absent. */
  readonly missing: ContractNames
  /** A listed tool that ends only when the backend is cancelled. */
  readonly hanging: {
    readonly tool: string
    /** Resolves when the backend has the call. */
    readonly started: Promise<unknown>
    /** Resolves when the backend's signal has aborted. */
    readonly aborted: Promise<unknown>
  }
  /** How many calls, readings and gets have reached a backend so far. */
  reached(): number
  /** What a decorator wraps: the suite checks that nothing is widened. */
  readonly inner?: VMCP
  /** False where `backendId` cannot be seen, as over the wire. True when absent. */
  readonly showsBackends?: boolean
}
