import type { Server, ServerContext } from '@modelcontextprotocol/server'
import { CLIENT_CAPABILITIES_META_KEY, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'
import type { JsonObject } from '@vmcp/domain'
import { isJsonObject } from '@vmcp/domain'
import { answersTo, InputNeeded, pushQuestions } from './ask-client.js'
import type { ChangingLists } from './changing-lists.js'
import type { ConformanceCall } from './conformance-call.js'

/** Where a request arrived. */
interface Place {
  readonly era: '2025' | '2026'
  readonly server: Server
  readonly lists: ChangingLists
}

/** A request as tools and prompts see it. */
export function callOf(params: JsonObject, context: ServerContext, { era, server, lists }: Place): ConformanceCall {
  const { mcpReq, http } = context
  const envelope: JsonObject = { ...mcpReq.envelope }
  const declared = era === '2026' ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities()
  const capabilities: JsonObject = isJsonObject(declared) ? declared : {}
  const require = (capability: string) => {
    if (capability in capabilities) return
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { [capability]: {} } })
  }
  const progressToken = mcpReq._meta?.progressToken

  return {
    arguments: isJsonObject(params['arguments']) ? params['arguments'] : {},
    capabilities,
    require,
    reportProgress: async (progress, total) => {
      if (progressToken === undefined) return
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
    },
    log: (text) => mcpReq.log('info', text, 'conformance'),
    ask: async (questions, { sealed = false } = {}) => {
      for (const { method } of Object.values(questions)) require(method.split('/')[0] ?? method)
      if (era === '2025') return pushQuestions(questions, context)
      const earlier = mcpReq.requestState<JsonObject>()
      const responses = { ...earlier, ...mcpReq.inputResponses }
      const known = sealed && earlier === undefined ? {} : responses
      const answers = answersTo(questions, known)
      if (Object.keys(questions).every((key) => key in answers)) return answers
      throw new InputNeeded(questions, sealed ? known : undefined)
    },
    toggleList: (list) => lists.toggle(list),
    closeStream: () => http?.closeSSE?.(),
  }
}
