import type { CallNotification, Workflow, WorkflowEvent } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { describeEvent, describeNotification } from './run-progress.js'

const run = { runId: 'r', stepId: 's' }

describe('describeEvent', () => {
  it.each<[WorkflowEvent, string | undefined]>([
    [{ ...run, type: 'step-started', stepType: 'tool', tool: 'a_echo' }, '  ▸ s: calls a_echo'],
    [{ ...run, type: 'step-started', stepType: 'elicitation' }, '  ▸ s: asks the user'],
    [{ ...run, type: 'step-started', stepType: 'forEach' }, '  ▸ s: calls a tool for each item'],
    [{ ...run, type: 'step-completed', durationMs: 4, retryCount: 0 }, '  ✓ s in 0.004 s'],
    [{ ...run, type: 'step-completed', durationMs: 1234, retryCount: 1 }, '  ✓ s in 1.2 s, 1 retry'],
    [{ ...run, type: 'step-failed', durationMs: 100, retryCount: 2 }, '  ✗ s after 0.1 s, 2 retries'],
    [{ ...run, type: 'step-skipped', condition: 'false' }, '  – s skipped'],
    [{ runId: 'r', type: 'workflow-started', workflow: 'w', timeoutMs: 1 }, undefined],
  ])('says of %j: %s', (event, line) => {
    expect(describeEvent(event)).toBe(line)
  })
})

describe('describeNotification', () => {
  const workflow: Workflow = {
    name: 'w',
    description: 'd',
    steps: [
      { id: 'call', type: 'tool', tool: 'x' },
      { id: 'each', type: 'forEach', collection: '[]', step: { tool: 'x' } },
    ],
  }

  it.each<[CallNotification, string | undefined]>([
    [{ type: 'progress', progress: 1, total: 4, message: 'call: halfway' }, '    25 %  call: halfway'],
    [{ type: 'progress', progress: 1, total: 4, message: 'each' }, '    25 %  each'],
    [{ type: 'progress', progress: 2, total: 4, message: 'call' }, undefined],
    [{ type: 'progress', progress: 2 }, '    2'],
    [{ type: 'log', level: 'info', logger: 'server', data: 'a line' }, '    info server: a line'],
    [{ type: 'log', level: 'error', data: { code: 1 } }, '    error: {"code":1}'],
  ])('says of %j: %s', (notification, line) => {
    expect(describeNotification(notification, workflow)).toBe(line)
  })
})
