import { connectClient } from '@vmcp/sdk-adapter/testing'
import { recordingLogger } from '@vmcp/testing'
import type { RecordingLogger } from '@vmcp/testing'
import { connectLawlessClient } from './lawless-client.js'
import type { Path } from './paths.js'
import { toolName, type Scenario } from './scenario.js'
import { memberText, tapWire, type WireTap } from './wire-tap.js'

/** Everything that can be seen of one call, as bytes where it was sent. */
export interface Observation {
  /** The result of `tools/call`. */
  readonly result: string
  /** The message and the schema of each question, as the client got them. */
  readonly questions: readonly { readonly message: string; readonly requestedSchema: string }[]
  /** True when the client was told that the question no longer stands. */
  readonly withdrawn: boolean
  /** The arguments of each tool that a step called. */
  readonly calls: readonly string[]
  readonly warnings: readonly string[]
}

/** Runs a scenario over a path with a live client. */
export async function observe(path: Path, scenario: Scenario): Promise<Observation> {
  const logger = recordingLogger()
  const running = await path(scenario, logger)
  const tap = await tapWire(running.url)
  try {
    await callTool(tap.url, scenario)
    const calls = running.backend.callsOf('callTool').map(({ request }) => JSON.stringify(request))
    return { ...heard(tap), calls, warnings: warningsOf(logger) }
  } finally {
    await tap.close()
    await running.close()
  }
}

async function callTool(url: string, scenario: Scenario): Promise<void> {
  const { answer, client } = scenario
  if (client === 'lawless') {
    if (typeof answer === 'string') throw new Error('a lawless client answers')
    const lawless = await connectLawlessClient(url, answer)
    await lawless.callTool(toolName, scenario.arguments)
    return lawless.close()
  }
  const official = await connectClient({
    sdk: 'v2',
    url,
    onElicitation: () => {
      if (answer === 'fail') throw new Error('no form here')
      return answer === 'never' ? new Promise<never>(() => {}) : answer
    },
  })
  await official.callTool(toolName, scenario.arguments)
  await official.close()
}

function heard({ messages }: WireTap): Pick<Observation, 'result' | 'questions' | 'withdrawn'> {
  const parsed = messages.map((message) => ({ message, value: JSON.parse(message) as Record<string, unknown> }))
  const results = parsed.filter(({ value }) => 'result' in value && 'content' in (value['result'] as object))
  const [result] = results
  if (result === undefined || results.length > 1) throw new Error(`expected one result: ${messages.join('\n')}`)
  const questions = parsed.filter(({ value }) => value['method'] === 'elicitation/create')
  const cancelled = parsed.filter(({ value }) => value['method'] === 'notifications/cancelled')
  return {
    result: memberText(result.message, 'result'),
    questions: questions.map(({ message }) => {
      const params = memberText(message, 'params')
      return { message: memberText(params, 'message'), requestedSchema: memberText(params, 'requestedSchema') }
    }),
    withdrawn: cancelled.length > 0,
  }
}

function warningsOf({ lines }: RecordingLogger): readonly string[] {
  return lines.filter(({ level }) => level === 'warn').map((line) => JSON.stringify(line))
}
