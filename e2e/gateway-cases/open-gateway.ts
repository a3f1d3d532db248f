import { createVMCP } from '@vmcp/core'
import type { CoreConfig } from '@vmcp/core'
import type { IncomingAuth } from '@vmcp/domain'
import { Identity } from '@vmcp/domain'
import { connectBackend } from '@vmcp/sdk-adapter'
import type { BackendLimits, BackendTarget } from '@vmcp/sdk-adapter'
import { serve } from '@vmcp/serve'
import type { ServerConfig } from '@vmcp/serve'
import { openRawSession, recordingLogger } from '@vmcp/testing'
import type { RawProgram, RawServer, RawSession, RawSessionOptions, RecordingLogger } from '@vmcp/testing'
import { onTestFinished } from 'vitest'

/** A gateway in this process, over real connections on both sides. */
export interface OpenGateway {
  readonly url: string
  readonly log: RecordingLogger
  /** Opens a session of 2025. */
  session(options?: RawSessionOptions): Promise<RawSession>
}

/** What a gateway is made of besides its backends. */
export interface OpenGatewayOptions {
  readonly core?: Partial<CoreConfig>
  readonly server?: Partial<ServerConfig>
  readonly limits?: BackendLimits
}

/** A raw backend, or where one is. */
export type BackendPlace = RawServer | RawProgram | BackendTarget

/** Serves these backends by id until the test is over. */
export async function openGateway(
  places: Readonly<Record<string, BackendPlace>>,
  { core, server, limits = {} }: OpenGatewayOptions = {},
): Promise<OpenGateway> {
  const log = recordingLogger()
  const backends = Object.entries(places).map(([id, place]) => ({
    id,
    client: connectBackend({ id, target: targetOf(place), logger: log, limits }),
  }))
  const vmcp = createVMCP({ name: 'cases', backends, logger: log, ...core })
  const options = { name: 'cases', version: '1.0.0', port: 0, logger: log, events: vmcp, admin: vmcp, ...server }
  const running = await serve(vmcp, options)
  onTestFinished(async () => {
    await running.close()
    await vmcp.close()
  })
  return { url: running.url, log, session: (more) => openRawSession(running.url, more) }
}

/** Everybody is the same person: for policies, which know nobody without a name. */
export const everybodyIsAda: IncomingAuth = {
  authenticate: async () => ({
    outcome: 'authenticated',
    identity: new Identity({ issuer: 'https://issuer.example', subject: 'ada' }),
  }),
}

/** Keeps a raw backend until the test is over. */
export async function untilTestEnds<Closable extends { close(): Promise<unknown> }>(
  starting: Promise<Closable>,
): Promise<Closable> {
  const started = await starting
  onTestFinished(async () => void (await started.close()))
  return started
}

function targetOf(place: BackendPlace): BackendTarget {
  if ('transport' in place) return place
  if ('command' in place) return { transport: 'stdio', command: place.command, args: place.args }
  return { transport: 'streamable-http', url: place.url }
}
