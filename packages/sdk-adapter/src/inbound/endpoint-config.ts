import type { Logger, VMCP, VmcpEvents } from '@vmcp/domain'
import type { SessionRegistry } from './exchange.js'
import type { ResultWriter, ServerInfo } from './wire/result-writer.js'

/** How a `VMCP` presents itself to clients. */
export interface EndpointConfig {
  /** Name and version, as clients see them. */
  readonly serverInfo: ServerInfo
  /** Hints for the model, sent at `initialize` and `server/discover`. */
  readonly instructions?: string
  /** Which sessions there are and whose (2025-11-25). */
  readonly sessions: SessionRegistry
  /** Where changes come from. Without it, no change is announced or delivered. */
  readonly events?: VmcpEvents
  /** Items on one page of a list; 1000 when absent. */
  readonly pageSize?: number
  /** Requests one session may have running at a time; 64 when absent. More are answered 503. */
  readonly callsPerSession?: number
  /** Silent when absent. */
  readonly logger?: Logger
}

/** What both eras work with. */
export interface EndpointContext {
  readonly vmcp: VMCP
  readonly config: EndpointConfig
  readonly writer: ResultWriter
  readonly pageSize: number
  readonly logger: Logger
}
