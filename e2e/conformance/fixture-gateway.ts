import { conformanceServerName, connectClient, startConformanceBackend } from '@vmcp/sdk-adapter/testing'
import { startGateway } from '../gateway-process.js'
import { frontOf } from './front.mjs'

/** A gateway in front of the conformance backend. */
export interface FixtureGateway {
  /** On `localhost`, as the suite's check of Host and Origin wants it. */
  readonly url: string
  close(): Promise<void>
}

/** Starts both, and makes sure that it is the gateway that answers: the suite could not tell it from the backend. */
export async function startFixtureGateway(era: '2025' | '2026' | 'both'): Promise<FixtureGateway> {
  const backend = await startConformanceBackend({ era })
  const config = frontOf(backend.url)
  const gateway = await startGateway(config)
  const url = gateway.url.replace('127.0.0.1', 'localhost')
  const close = async () => {
    await gateway.stop()
    await backend.close()
  }
  const client = await connectClient({ sdk: 'v2', url })
  const name = client.serverInfo['name']
  await client.close()
  if (name === config.name && name !== conformanceServerName) return { url, close }
  await close()
  throw new Error(`The suite would judge ${String(name)}`)
}
