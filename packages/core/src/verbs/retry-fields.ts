import type { InputResponses } from '@vmcp/domain'

/** What a retry of a request brings along for the backend that asked (SEP-2322). */
export interface RetryFields {
  readonly inputResponses?: InputResponses
  readonly requestState?: string
}

/** The answers and the state of a retry; nothing on a first request. */
export function retryFields({ inputResponses, requestState }: RetryFields): RetryFields {
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}
