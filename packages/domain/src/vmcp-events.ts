import type { CallOptions } from './call-options.js'
import type { ClientChannel } from './client/client-channel.js'
import type { Identity } from './identity.js'

/** Something a caller sees has changed. */
export type VmcpEvent =
  | {
      readonly type: 'list-changed'
      /** Which list; `resources` stands for templates too. */
      readonly list: 'tools' | 'resources' | 'prompts'
    }
  | {
      readonly type: 'resource-updated'
      /** The URI that was asked for in `SubscribeOptions`. */
      readonly uri: string
    }

/** What a subscriber wants to hear of. */
export interface SubscribeOptions extends Pick<CallOptions, 'forwardedHeaders'> {
  /** Resources whose updates to report: those the caller may read; others are left out. */
  readonly resources?: readonly string[]
}

/** Changes, for whom they are changes, in both directions. A second interface beside `VMCP`, that core returns too. */
export interface VmcpEvents {
  /**
   * Reports changes of this caller's own view: a list event only when the list really differs for this identity.
   * Ends when the returned function is called, or at `close`.
   */
  subscribe(identity: Identity | null, listener: (event: VmcpEvent) => void, options?: SubscribeOptions): () => void
  /**
   * Takes notice that the folders of a caller's client have changed, and tells the backends that hold a session for clients
   * of this caller that declare the same. They may ask it for them then, apart from any call. It never throws. Absent where
   * nobody can be told.
   */
  rootsChanged?(identity: Identity | null, client: ClientChannel, options?: Pick<CallOptions, 'forwardedHeaders'>): void
}
