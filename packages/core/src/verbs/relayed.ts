import { isInputRequired, relayableMeta } from '@vmcp/domain'
import type { InputRequired, Meta } from '@vmcp/domain'

/** A backend's result as it goes to the client: without reserved metadata, and with the backend that gave it. */
export function relayed<Result extends { readonly meta?: Meta; readonly [field: string]: unknown }>(
  result: Result | InputRequired,
  backendId: string,
): Result | InputRequired {
  const relayable = relayableMeta(result.meta)
  const unforged = result.meta === undefined ? result : replaceMeta(result, relayable)
  return isInputRequired(unforged) ? unforged : { ...unforged, backendId }
}

/** The metadata of a request as it goes to a backend; nothing when there is none. */
export function requestMeta(meta: Meta | undefined): { readonly meta?: Meta } {
  const relayable = relayableMeta(meta)
  return relayable === undefined ? {} : { meta: relayable }
}

function replaceMeta<Result extends { readonly meta?: Meta }>(result: Result, meta: Meta | undefined): Result {
  const { meta: _dropped, ...rest } = result
  return (meta === undefined ? rest : { ...rest, meta }) as Result
}
