import type { Identity, InputRequired, JsonObject, OutgoingAuth } from '@vmcp/domain'
import type { StateSeal } from './sealed-state.js'

/** One call of which a state is a part. */
export interface StatefulCall {
  readonly method: string
  readonly params: JsonObject
}

/**
 * Relays the states that a backend gives with its questions (2026-07-28). A backend that tells callers apart by their
 * credentials can guard its states itself, and they are relayed as they are. Of one that cannot, the states are sealed:
 * they come back from the same caller and for the same call, or not at all. Answers without a state need no seal: to the
 * backend they are a new call of their caller.
 */
export interface StateRelay {
  /** What the client is given for what the backend asked. */
  toClient(identity: Identity | null, call: StatefulCall, asked: InputRequired): Promise<InputRequired>
  /** The parameters the backend is given. Rejects with `InvalidRequestState` for a state that is not this caller's. */
  toBackend(identity: Identity | null, call: StatefulCall): Promise<JsonObject>
}

/** How a relay knows its backend. */
export interface StateRelayOptions {
  /** The backend's id. */
  readonly backend: string
  readonly seal: StateSeal
  /** The credentials that reach the backend; none when absent. */
  readonly auth: OutgoingAuth | undefined
}

/** The relay of one backend. */
export function createStateRelay({ backend, seal, auth }: StateRelayOptions): StateRelay {
  const isShared = (identity: Identity | null) =>
    auth === undefined || auth.credentialKey(identity) === auth.credentialKey(null)
  return {
    toClient: async (identity, call, asked) => {
      const { requestState } = asked
      if (requestState === undefined || !isShared(identity)) return asked
      return { ...asked, requestState: await seal.seal(ownerOf(identity, call), requestState) }
    },
    toBackend: async (identity, call) => {
      const { requestState } = call.params
      if (typeof requestState !== 'string' || !isShared(identity)) return call.params
      return { ...call.params, requestState: await seal.open(ownerOf(identity, call), requestState) }
    },
  }

  function ownerOf(identity: Identity | null, { method, params }: StatefulCall) {
    const { inputResponses: _answers, requestState: _state, ...call } = params
    return { identity, backend, method, call }
  }
}
