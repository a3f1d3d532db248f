import type {
  CallToolRequest,
  ClientCapabilities,
  CompleteRequest,
  GetPromptRequest,
  JsonObject,
  Meta,
  ReadResourceRequest,
} from '@vmcp/domain'
import { relayableMeta } from '@vmcp/domain'

/** `tools/call` parameters. */
export function callToolParams(request: CallToolRequest): JsonObject {
  const params = { name: request.name, arguments: request.arguments ?? {} }
  const isFirst = request.inputResponses === undefined && request.requestState === undefined
  return isFirst ? params : { ...params, ...retryParams(request) }
}

/** `resources/read` parameters. */
export function readResourceParams(request: ReadResourceRequest): JsonObject {
  return { uri: request.uri, ...retryParams(request) }
}

/** `prompts/get` parameters. */
export function getPromptParams(request: GetPromptRequest): JsonObject {
  return { name: request.name, ...(request.arguments && { arguments: request.arguments }), ...retryParams(request) }
}

/** `completion/complete` parameters. */
export function completeParams({ ref, argument, context }: CompleteRequest): JsonObject {
  return { ref, argument, ...(context !== undefined && { context }) }
}

/** A caller's metadata as it may reach a backend: without reserved keys and without the caller's own progress token. */
export function outgoingMeta(meta: Meta | undefined): Meta | undefined {
  const { progressToken: _progressToken, ...kept } = relayableMeta(meta) ?? {}
  return Object.keys(kept).length === 0 ? undefined : kept
}

/** Client capabilities on the wire. */
export function capabilitiesToWire({ elicitation, sampling, roots, rootsListChanged }: ClientCapabilities): JsonObject {
  return {
    ...(elicitation !== undefined && {
      elicitation: { ...(elicitation.form === true && { form: {} }), ...(elicitation.url === true && { url: {} }) },
    }),
    ...(sampling !== undefined && { sampling: sampling.tools === true ? { tools: {} } : {} }),
    ...(roots === true && { roots: rootsListChanged === true ? { listChanged: true } : {} }),
  }
}

function retryParams(request: Pick<CallToolRequest, 'inputResponses' | 'requestState'>): JsonObject {
  const { inputResponses, requestState } = request
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}
