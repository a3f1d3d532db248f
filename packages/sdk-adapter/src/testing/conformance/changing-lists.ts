import type { ConformancePrompt, ConformanceTool } from './conformance-call.js'
import { changingPrompt, prompts } from './prompts.js'
import { changingTool, tools } from './tools.js'

/** The lists of the fixture, each with one entry that comes and goes; all sessions and requests share them. */
export interface ChangingLists {
  tools(): readonly ConformanceTool[]
  prompts(): readonly ConformancePrompt[]
  /** Adds the entry that is not there, or takes it away, and tells so. */
  toggle(list: 'tools' | 'prompts'): Promise<void>
}

/** Lists that tell `notify` of every change. */
export function changingLists(notify: (list: 'tools' | 'prompts') => Promise<void>): ChangingLists {
  const shown = { tools: false, prompts: false }
  return {
    tools: () => (shown.tools ? [...tools, changingTool] : tools),
    prompts: () => (shown.prompts ? [...prompts, changingPrompt] : prompts),
    toggle: (list) => {
      shown[list] = !shown[list]
      return notify(list)
    },
  }
}
