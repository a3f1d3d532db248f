/** What a backend is told that asks for something nobody answers. The code goes to it as it is. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  /** JSON-RPC "Method not found". */
  readonly code = -32601

  constructor(message = 'Method not found') {
    super(message)
  }
}
