import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Identity, JsonObject } from '@vmcp/domain'
import { InvalidConfig, InvalidRequestState, isJsonObject } from '@vmcp/domain'
import { canonicalJson } from './canonical-json.js'

/** A key for sealing. */
export interface StateKey {
  /** Names the key inside a state; not secret. */
  readonly id: string
  /** At least 32 bytes, or their Base64. */
  readonly secret: Uint8Array | string
}

/** What a state belongs to: it opens for the same caller, backend and call only. */
export interface StateOwner {
  readonly identity: Identity | null
  readonly backend: string
  readonly method: string
  /** The name or URI and the arguments: everything of the call but its answers and its state. */
  readonly call: JsonObject
}

/** Seals the state of a backend in one of ours and opens it again. */
export interface StateSeal {
  seal(owner: StateOwner, state: string): Promise<string>
  /** The backend's own state. Rejects with `InvalidRequestState`, which does not say why. */
  open(owner: StateOwner, sealed: string): Promise<string>
}

/** With what and for how long states are sealed. */
export interface StateSealOptions {
  /** The first seals, all open. Absent or empty, a random key is made. */
  readonly keys?: readonly StateKey[] | undefined
  /** Milliseconds until a state expires; 10 minutes when absent. */
  readonly ttlMs?: number | undefined
  readonly now?: () => number
}

/** A sealer that uses AES-256-GCM (JWE, RFC 7516, direct key). Throws `InvalidConfig` for a key that is too short. */
export function createStateSeal({ keys, ttlMs = 10 * 60_000, now = Date.now }: StateSealOptions = {}): StateSeal {
  const derived = deriveKeys(keys ?? [])
  const [[sealingId, sealingKey]] = derived
  const byId = new Map(derived)
  return {
    seal: async (owner, state) => {
      const { CompactEncrypt } = await jose()
      const plain = JSON.stringify({ expiresAt: now() + ttlMs, owner: digestOf(owner), state })
      return new CompactEncrypt(new TextEncoder().encode(plain))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: sealingId })
        .encrypt(sealingKey)
    },
    open: async (owner, sealed) => {
      const claims = await decrypt(sealed, byId)
      if (claims.owner !== digestOf(owner) || claims.expiresAt <= now()) throw new InvalidRequestState()
      return claims.state
    },
  }
}

/** Loaded with the first state: most gateways never see one. */
const jose = () => import('jose')

interface Claims {
  readonly expiresAt: number
  readonly owner: string
  readonly state: string
}

type NamedKey = readonly [id: string, key: Uint8Array]

async function decrypt(sealed: string, keys: ReadonlyMap<string, Uint8Array>): Promise<Claims> {
  try {
    const { compactDecrypt } = await jose()
    const { plaintext } = await compactDecrypt(
      sealed,
      ({ kid }) => keys.get(kid ?? '') ?? Promise.reject(new InvalidRequestState()),
      { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(plaintext))
    if (!isJsonObject(claims)) throw new InvalidRequestState()
    // What opens with our key was written by `seal`.
    return claims as unknown as Claims
  } catch (error) {
    throw new InvalidRequestState({ cause: error })
  }
}

/** One digest over issuer, subject, backend, method, name or URI, and arguments. */
function digestOf({ identity, backend, method, call }: StateOwner): string {
  const caller = identity === null ? null : [identity.issuer, identity.subject]
  return createHash('sha256')
    .update(canonicalJson([caller, backend, method, call]))
    .digest('base64url')
}

function deriveKeys(keys: readonly StateKey[]): readonly [NamedKey, ...NamedKey[]] {
  const [first, ...others] = keys
  if (first === undefined) return [['process', new Uint8Array(randomBytes(32))]]
  return [deriveKey(first, 0), ...others.map((key, index) => deriveKey(key, index + 1))]
}

/** The purpose is part of the key: a state of another kind, sealed from the same secret, does not open here. */
const purpose = 'vmcp backend request state'

function deriveKey({ id, secret }: StateKey, index: number): NamedKey {
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'base64') : secret
  if (bytes.length < 32) {
    const message = 'must be at least 32 bytes, Base64 when text'
    throw new InvalidConfig([{ path: `stateKeys[${index}].secret`, message }])
  }
  return [id, new Uint8Array(hkdfSync('sha256', bytes, new Uint8Array(), purpose, 32))]
}
