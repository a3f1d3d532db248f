import { setTimeout as wait } from 'node:timers/promises'
import type { ConformanceTool } from './conformance-call.js'
import { tool } from './conformance-call.js'
import { audio, embedded, image, text, textResult } from './content.js'
import { inputTools } from './input-tools.js'
import { questionTools } from './question-tools.js'
import { jsonSchemaTool, parameterHeaderTool } from './schema-tools.js'

const pause = 50

/** Every tool that the suite asks for, in the order of the list. */
export const tools: readonly ConformanceTool[] = [
  tool('test_simple_text', 'Answers a text', () => textResult('This is a simple text response for testing.')),
  tool('test_image_content', 'Answers an image', () => ({ content: [image] })),
  tool('test_audio_content', 'Answers a sound', () => ({ content: [audio] })),
  tool('test_embedded_resource', 'Answers a resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  tool('test_multiple_content_types', 'Answers a text, an image and a resource', () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_tool_with_logging', 'Writes three log messages', async (call) => {
    await call.log('Tool execution started')
    await wait(pause)
    await call.log('Tool processing data')
    await wait(pause)
    await call.log('Tool execution completed')
    return textResult('Tool with logging executed successfully')
  }),
  tool('test_logging_tool', 'Writes one log message', async (call) => {
    await call.log('A log message')
    return textResult('Logged')
  }),
  tool('test_tool_with_progress', 'Reports progress three times', async (call) => {
    await call.reportProgress(0, 100)
    await wait(pause)
    await call.reportProgress(50, 100)
    await wait(pause)
    await call.reportProgress(100, 100)
    return textResult('Tool with progress executed successfully')
  }),
  tool('test_error_handling', 'Fails', () => ({
    ...textResult('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('test_missing_capability', 'Works only for clients with sampling', (call) => {
    call.require('sampling')
    return textResult('The client declared sampling')
  }),
  tool('test_reconnection', 'Ends its stream before it answers', async (call) => {
    call.closeStream()
    await wait(2 * pause)
    return textResult('Reconnection test completed successfully')
  }),
  tool('test_trigger_tool_change', 'Adds a tool to the list, or takes it away', async (call) => {
    await call.toggleList('tools')
    return textResult('The list of tools changed')
  }),
  tool('test_trigger_prompt_change', 'Adds a prompt to the list, or takes it away', async (call) => {
    await call.toggleList('prompts')
    return textResult('The list of prompts changed')
  }),
  ...questionTools,
  ...inputTools,
  jsonSchemaTool,
  parameterHeaderTool,
]

/** The tool that comes and goes. */
export const changingTool = tool('test_changing_tool', 'Comes and goes', () => textResult('Here for now'))
