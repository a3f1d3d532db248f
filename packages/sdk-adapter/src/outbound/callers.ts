import { createHash } from 'node:crypto'
import type { CallOptions, Identity, JsonObject, OutgoingAuth } from '@vmcp/domain'
import type { Connection } from './connection.js'
import type { Dial } from './dialer.js'
import { mergeHeaders } from './outgoing-headers.js'

type Headers = Readonly<Record<string, string>>

/** Whose connection and whose headers a call uses. */
export interface Caller {
  /** Callers with the same key share a connection. */
  readonly key: string
  headers(signal?: AbortSignal): Promise<Headers>
  open(signal: AbortSignal): Promise<Connection>
}

/** A caller who brings nothing of its own, so that its headers are known beforehand. */
export interface PlainCaller extends Caller {
  readonly known: Headers
}

/** What callers are told apart by. */
export interface CallersOptions {
  readonly auth: OutgoingAuth | undefined
  readonly configuredHeaders: Headers
  open(dial: Dial): Promise<Connection>
}

/**
 * The callers of one backend. They share a connection only when they have the same credential and the same forwarded
 * headers.
 */
export class Callers {
  readonly #options: CallersOptions
  #plainHeaders: Headers | undefined
  #plain: PlainCaller | undefined

  constructor(options: CallersOptions) {
    this.#options = options
  }

  /** The caller whose client can be asked nothing, or that shares its session with others. */
  shared(identity: Identity | null, options: Pick<CallOptions, 'forwardedHeaders'>): Caller {
    const { forwardedHeaders } = options
    return this.#caller(identity, { key: this.#sharedKey(identity, forwardedHeaders), forwardedHeaders })
  }

  /** The caller with a session of its own, which knows what that client declares. */
  personal(identity: Identity | null, options: Pick<CallOptions, 'forwardedHeaders'>, declared: JsonObject): Caller {
    const { forwardedHeaders } = options
    const key = personalKey(this.#sharedKey(identity, forwardedHeaders), identity, declared)
    return this.#caller(identity, { key, forwardedHeaders, personal: declared })
  }

  /** The one caller that stands for all who bring nothing of their own: neither headers nor a credential. */
  plain({ forwardedHeaders }: Pick<CallOptions, 'forwardedHeaders'>): PlainCaller | undefined {
    const known = forwardedHeaders === undefined ? this.#knownHeaders() : undefined
    if (known !== undefined) this.#plain ??= { ...this.shared(null, {}), known }
    return known && this.#plain
  }

  #caller(identity: Identity | null, { key, forwardedHeaders, personal }: CallerParts): Caller {
    const { auth, configuredHeaders, open } = this.#options
    const headers = async (signal?: AbortSignal) => {
      const known = forwardedHeaders === undefined ? this.#knownHeaders() : undefined
      if (known !== undefined) return known
      const credentials = (await auth?.headers(identity, signal === undefined ? {} : { signal })) ?? {}
      return mergeHeaders({ configured: configuredHeaders, forwarded: forwardedHeaders ?? {}, credentials })
    }
    return { key, headers, open: (signal) => open({ key, signal, headers, personal }) }
  }

  /** The headers of callers who bring none, when they are the same for all. */
  #knownHeaders(): Headers | undefined {
    if (this.#plainHeaders !== undefined) return this.#plainHeaders
    const { auth, configuredHeaders } = this.#options
    const credentials = auth === undefined ? {} : auth.fixedHeaders?.()
    if (credentials === undefined) return undefined
    this.#plainHeaders = mergeHeaders({ configured: configuredHeaders, forwarded: {}, credentials })
    return this.#plainHeaders
  }

  #sharedKey(identity: Identity | null, forwarded: Headers = {}): string {
    const credentialKey = this.#options.auth?.credentialKey(identity) ?? ''
    const names = Object.keys(forwarded).sort()
    if (names.length === 0) return credentialKey
    const digest = createHash('sha256').update(JSON.stringify(names.map((name) => [name, forwarded[name]])))
    return `${credentialKey} ${digest.digest('base64url')}`
  }
}

interface CallerParts {
  readonly key: string
  readonly forwardedHeaders: Headers | undefined
  readonly personal?: JsonObject
}

function personalKey(sharedKey: string, identity: Identity | null, declared: JsonObject): string {
  const who = identity === null ? null : [identity.issuer, identity.subject]
  const digest = createHash('sha256').update(JSON.stringify([sharedKey, who, declared]))
  return `personal ${digest.digest('base64url')}`
}
