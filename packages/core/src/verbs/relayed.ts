import { isInputRequired, NotFound, relayableMeta } from '@vmcp/domain'
import type { InputRequired, Meta, NotFoundKind } from '@vmcp/domain'

/** A backend's result as it goes to the client: without reserved metadata, and with the backend that gave it. */
function relayed<Result extends { readonly meta?: Meta; readonly [field: string]: unknown }>(
  result: Result | InputRequired,
  backendId: string,
): Result | InputRequired {
  const relayable = relayableMeta(result.meta)
  const unforged = result.meta === undefined ? result : replaceMeta(result, relayable)
  return isInputRequired(unforged) ? unforged : { ...unforged, backendId }
}

/** Relays what a backend answers. A client without such a method has no such thing: `NotFound`, by its advertised name. */
export function relaying<Result extends { readonly meta?: Meta; readonly [field: string]: unknown }>(
  backendId: string,
  { kind, name }: { readonly kind: NotFoundKind; readonly name: string },
): (result: Result | InputRequired | undefined) => Result | InputRequired {
  return (result) => {
    if (result === undefined) throw new NotFound(kind, name)
    return relayed(result, backendId)
  }
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
