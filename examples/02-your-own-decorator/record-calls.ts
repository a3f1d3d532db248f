import { delegate, type Decorator } from '@vmcp/domain'

/** One call of a tool, as an operator may read it: no arguments, no token. */
export interface CallRecord {
  readonly caller: string
  readonly tool: string
  readonly outcome: 'answered' | 'refused'
}

/** Watches: tells of every call, and changes none. */
export function recordCalls(record: (call: CallRecord) => void): Decorator {
  return (inner) =>
    delegate(inner, {
      callTool: async (identity, request, options) => {
        const call = { caller: identity?.subject ?? 'anonymous', tool: request.name }
        try {
          const result = await inner.callTool(identity, request, options)
          record({ ...call, outcome: 'answered' })
          return result
        } catch (error) {
          record({ ...call, outcome: 'refused' })
          throw error
        }
      },
    })
}
