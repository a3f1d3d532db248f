import type { Logger } from '@vmcp/domain'
import { isVmcpError } from '@vmcp/domain'
import type { CallAnswer } from './call-answer.js'
import { describeFailure, internalText } from './error-table.js'
import type { RequestMessage } from './wire/json-rpc.js'
import { errorText, resultText } from './wire/json-rpc.js'
import { ProtocolError } from './wire/protocol-error.js'
import type { Era } from './wire/protocol-versions.js'

/** Answers a request whose verb rejected, as the error table says. What a client is not shown goes to the log instead. */
export function answerFailure(
  answer: CallAnswer,
  error: unknown,
  { request, era, logger }: { readonly request: RequestMessage; readonly era: Era; readonly logger: Logger },
): void {
  const { method } = request
  const failure = describeFailure(error, { era, method })
  if (!isVmcpError(error) && !(error instanceof ProtocolError)) {
    logger.error('a request failed unexpectedly', { method, error: String(error) })
  } else if (error.message !== failure.error.message && failure.error.message === internalText) {
    logger.warn('a request failed for a reason that its client is not told', { method, error: error.message })
  }
  if (failure.toolResult !== undefined) answer.finish(200, resultText(request.id, JSON.stringify(failure.toolResult)))
  else answer.finish(failure.status, errorText(request.id, failure.error))
}
