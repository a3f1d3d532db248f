import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { InvalidConfig, InvalidRequestState, isJsonObject } from '@vmcp/domain'
import type { Identity, JsonObject, Workflow } from '@vmcp/domain'
import { canonicalJson } from '../canonical-json.js'
import type { RunSnapshot } from '../run/run-state.js'
import { createReplayMemory } from './replay-memory.js'
import type { SuspensionConfig, SuspensionKey } from './suspension-config.js'

/** What a state belongs to: it opens for the same caller, workflow and arguments only. */
export interface StateOwner {
  readonly identity: Identity | null
  readonly workflow: Workflow
  readonly arguments: JsonObject
}

/** Seals the state of a run and opens it again. */
export interface StateSeal {
  /**
   * The sealed text, or why there is none. With the `id` of an earlier state, only one of the two can be used up: that is
   * for a run that came from there and had no effect meanwhile.
   */
  seal(owner: StateOwner, snapshot: RunSnapshot, id?: string): Promise<SealedState>
  /** Uses a state up. Rejects with `InvalidRequestState`, which does not say why, or as the replay store does. */
  open(owner: StateOwner, state: string): Promise<OpenedState>
}

/** A state that nobody else can open, unless it is given back. */
export interface OpenedState {
  readonly id: string
  readonly snapshot: RunSnapshot
  /** Lets it be opened again; gives `false` when the replay store cannot do that. Rejects as the replay store does. */
  giveBack(): Promise<boolean>
}

/** A state that can be sent, or what is wrong with it. */
export type SealedState =
  { readonly ok: true; readonly state: string } | { readonly ok: false; readonly problem: string }

/** A sealer that uses AES-256-GCM (JWE, RFC 7516, direct key). Throws `InvalidConfig` for keys that cannot be used. */
export function createStateSeal(config: SuspensionConfig = {}, now: () => number = Date.now): StateSeal {
  const keys = deriveKeys(config.keys ?? [])
  const [sealing] = keys
  const { ttlMs = 10 * 60_000, maxBytes = 262_144, store = createReplayMemory(now) } = config

  return {
    async seal(owner, snapshot, stateId = randomUUID()) {
      const plain = toJson(() => ({ id: stateId, expiresAt: now() + ttlMs, owner: ownerDigest(owner), snapshot }))
      if (plain === undefined) return { ok: false, problem: 'its state is not JSON' }
      const [id, key] = sealing
      const { CompactEncrypt } = await jose()
      const state = await new CompactEncrypt(new TextEncoder().encode(plain))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
        .encrypt(key)
      if (state.length <= maxBytes) return { ok: true, state }
      return { ok: false, problem: `its state is too large: ${state.length} bytes (max ${maxBytes})` }
    },
    async open(owner, state) {
      if (typeof state !== 'string' || state.length > maxBytes) throw new InvalidRequestState()
      const claims = await decrypt(state, new Map(keys))
      if (claims.owner !== ownerDigest(owner) || claims.expiresAt <= now()) throw new InvalidRequestState()
      // Noted for as long as any state of this id can live.
      if (!(await store.use(claims.id, now() + ttlMs))) throw new InvalidRequestState()
      return {
        id: claims.id,
        snapshot: claims.snapshot,
        async giveBack() {
          await store.release?.(claims.id)
          return store.release !== undefined
        },
      }
    },
  }
}

/** Loaded with the first state: most gateways never see one. */
const jose = () => import('jose')

interface Claims {
  readonly id: string
  readonly expiresAt: number
  readonly owner: string
  readonly snapshot: RunSnapshot
}

type NamedKey = readonly [id: string, key: Uint8Array]

async function decrypt(state: string, keys: ReadonlyMap<string, Uint8Array>): Promise<Claims> {
  try {
    const { compactDecrypt } = await jose()
    const { plaintext } = await compactDecrypt(
      state,
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

/** Undefined for what JSON cannot hold: what came over the wire is never that. */
function toJson(make: () => unknown): string | undefined {
  try {
    return JSON.stringify(make())
  } catch {
    return undefined
  }
}

/** One digest over issuer, subject, the workflow as it is defined now, and the arguments. */
function ownerDigest({ identity, workflow, arguments: given }: StateOwner): string {
  const caller = identity === null ? null : [identity.issuer, identity.subject]
  return createHash('sha256')
    .update(canonicalJson([caller, workflow, given]))
    .digest('base64url')
}

function deriveKeys(keys: readonly SuspensionKey[]): readonly [NamedKey, ...NamedKey[]] {
  const [first, ...others] = keys
  if (first === undefined) return [['process', new Uint8Array(randomBytes(32))]]
  const twice = keys.findIndex(({ id }, index) => keys.findIndex((key) => key.id === id) < index)
  if (twice >= 0) throw new InvalidConfig([{ path: `keys[${twice}].id`, message: 'is the id of another key' }])
  return [deriveKey(first, 0), ...others.map((key, index) => deriveKey(key, index + 1))]
}

function deriveKey({ id, secret }: SuspensionKey, index: number): NamedKey {
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'base64') : secret
  if (bytes.length < 32) {
    throw new InvalidConfig([{ path: `keys[${index}].secret`, message: 'must be at least 32 bytes, Base64 when text' }])
  }
  return [id, new Uint8Array(hkdfSync('sha256', bytes, new Uint8Array(), 'vmcp workflow request state', 32))]
}
