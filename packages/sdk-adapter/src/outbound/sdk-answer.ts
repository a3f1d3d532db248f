import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { parseJSONRPCMessage } from '@modelcontextprotocol/client'
import type { RpcAnswer } from './json-rpc.js'
import { WireFailure } from './wire-failure.js'

/**
 * The answer to a request of the SDK's own, as the SDK takes it. Throws a `WireFailure` for one that it would not take: it
 * would wait for another.
 */
export function toSdkAnswer(id: string | number, answer: RpcAnswer): JSONRPCMessage {
  try {
    return parseJSONRPCMessage({ jsonrpc: '2.0', id, ...answer })
  } catch (error) {
    throw new WireFailure({ kind: 'protocol', detail: 'the answer is not JSON-RPC' }, { cause: error })
  }
}
