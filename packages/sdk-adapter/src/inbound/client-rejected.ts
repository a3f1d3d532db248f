import type { RpcError } from './wire/json-rpc.js'

/** The client answered a question with a JSON-RPC error. It stays inside the package: outbound relays it to the asker. */
export class ClientRejected extends Error {
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: RpcError) {
    super(message)
    this.name = 'ClientRejected'
    this.code = code
    this.data = data
  }
}
