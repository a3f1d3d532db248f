import { WireFailure } from './wire-failure.js'

/** Where the headers of a request come from, weakest first. */
export interface OutgoingHeaders {
  /** Of the configuration. */
  readonly configured: Readonly<Record<string, string>>
  /** Of the client's request, let through by the operator. */
  readonly forwarded: Readonly<Record<string, string>>
  /** Of the credentials. */
  readonly credentials: Readonly<Record<string, string>>
}

/** Never forwarded from a client, whatever the operator lets through: they belong to one hop or to the protocol. */
const hopHeaders =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-.*|proxy-.*|forwarded|x-forwarded-.*|x-real-ip|mcp-.*)$/

/**
 * The headers of one request by lower-case name: credentials beat what is forwarded and what is configured.
 * A forwarded header may not replace a configured one: that is a contradiction in the configuration, and nothing is sent.
 */
export function mergeHeaders({ configured, forwarded, credentials }: OutgoingHeaders): Record<string, string> {
  const merged = lowerCase(configured)
  for (const [name, value] of Object.entries(lowerCase(forwarded))) {
    if (hopHeaders.test(name)) continue
    if (Object.hasOwn(merged, name)) {
      const detail = `forwarded header "${name}" collides with a configured header`
      throw new WireFailure({ kind: 'unreachable', detail })
    }
    merged[name] = value
  }
  const headers = { ...merged, ...lowerCase(credentials) }
  for (const [name, value] of Object.entries(headers)) {
    if (isHeaderName(name) && isHeaderValue(value)) continue
    throw new WireFailure({ kind: 'unreachable', detail: `header "${name}" has a value that cannot be sent` })
  }
  return headers
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)
}

function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}
