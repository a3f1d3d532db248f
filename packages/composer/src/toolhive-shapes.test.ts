import type { Workflow } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../test/run-for-test.js'
import { scriptedTools, says } from '../test/scripted-tools.js'
import { planWorkflow } from './plan-workflow.js'
import { validateWorkflow } from './validate/validate-workflow.js'
import { workflowResult } from './workflow-result.js'

/** Two steps beside each other, retries, a step that may fail, and an output with nested and typed properties. */
const investigate: Workflow = {
  name: 'investigate_incident',
  description: 'Gathers logs and metrics, then reports',
  parameters: {
    type: 'object',
    properties: { incident_id: { type: 'string' }, hours: { type: 'integer', default: 24 } },
    required: ['incident_id'],
  },
  timeoutMs: 1_800_000,
  steps: [
    {
      id: 'fetch_logs',
      type: 'tool',
      tool: 'logging.search_logs',
      arguments: { query: 'incident_id={{.params.incident_id}}', hours: '{{.params.hours}}' },
      timeoutMs: 300_000,
      onError: { action: 'retry', retryCount: 3, retryDelayMs: 5000 },
    },
    {
      id: 'fetch_metrics',
      type: 'tool',
      tool: 'monitoring.get_metrics',
      arguments: { incident: '{{.params.incident_id}}' },
      onError: { action: 'continue' },
      defaultResults: { text: 'none' },
    },
    {
      id: 'create_report',
      type: 'tool',
      tool: 'jira_create_issue',
      dependsOn: ['fetch_logs', 'fetch_metrics'],
      arguments: {
        title: 'Incident {{.params.incident_id}}',
        description:
          'Logs: {{.steps.fetch_logs.output.text}}\nMetrics: {{json .steps.fetch_metrics.output}} {{.steps.fetch_metrics.status}}\n',
        labels: ['incident', '{{.params.incident_id}}'],
      },
    },
  ],
  output: {
    properties: {
      key: { type: 'string', description: 'The issue', value: '{{.steps.create_report.output.text}}' },
      hours: { type: 'integer', description: 'Looked back', value: '{{.params.hours}}', default: 1 },
      summary: {
        type: 'object',
        description: 'What was found',
        properties: {
          logs: { type: 'string', description: 'Quoted', value: '{{quote .steps.fetch_logs.output.text}}' },
          steps: { type: 'integer', description: 'Completed', value: '{{.workflow.step_count}}' },
        },
      },
    },
    required: ['key'],
  },
}

/** A question whose answer decides whether a step runs. */
const deploy: Workflow = {
  name: 'deploy_with_approval',
  description: 'Asks, then deploys',
  parameters: { type: 'object', properties: { env: { type: 'string', enum: ['prod', 'test'], default: 'prod' } } },
  steps: [
    {
      id: 'confirm',
      type: 'elicitation',
      message: 'Deploy to {{.params.env}}?',
      schema: {
        type: 'object',
        properties: {
          reason: { type: 'string', title: 'Reason' },
          window: { type: 'string', enum: ['now', 'later'], enumNames: ['Now', 'Later'] },
        },
        required: ['reason'],
      },
      timeoutMs: 600_000,
      onDecline: { action: 'continue' },
      onCancel: { action: 'abort' },
    },
    {
      id: 'deploy',
      type: 'tool',
      tool: 'deploy',
      dependsOn: ['confirm'],
      condition: '{{if eq .steps.confirm.output.action "accept"}}true{{else}}false{{end}}',
      arguments: { reason: '{{.steps.confirm.output.content.reason}}', env: '{{.params.env}}' },
      defaultResults: { text: 'not deployed' },
    },
  ],
  output: { properties: { said: { type: 'string', description: 'd', value: '{{.steps.deploy.output.text}}' } } },
}

/** A loop over JSON text that a tool answered with. */
const scan: Workflow = {
  name: 'scan_all',
  description: 'Looks every package of an image up',
  parameters: { type: 'object', properties: { image: { type: 'string' } } },
  steps: [
    { id: 'sbom', type: 'tool', tool: 'fetch_sbom', arguments: { image: '{{.params.image}}' } },
    {
      id: 'scan',
      type: 'forEach',
      collection: '{{json (fromJson .steps.sbom.output.text).packages}}',
      itemVar: 'pkg',
      maxParallel: 5,
      maxIterations: 500,
      dependsOn: ['sbom'],
      step: {
        id: 'one',
        tool: 'osv.query',
        arguments: { name: '{{.forEach.pkg.name}}', n: '{{.forEach.index}}' },
        onError: { action: 'retry', retryCount: 2, retryDelayMs: 10 },
      },
    },
  ],
  output: {
    properties: {
      all: { type: 'array', description: 'd', value: '{{json .steps.scan.output.iterations}}' },
      count: { type: 'integer', description: 'd', value: '{{.steps.scan.output.count}}' },
      note: {
        type: 'string',
        description: 'd',
        value:
          '{{range $i, $it := .steps.scan.output.iterations}}{{if $i}}, {{end}}{{$it.item.name}}:{{$it.status}}{{end}}',
      },
    },
  },
}

describe('a composite tool in the shape of a ToolHive example', () => {
  it('loads and is planned as it reads', () => {
    for (const workflow of [investigate, deploy, scan]) {
      expect(validateWorkflow(workflow)).toEqual([])
      expect(planWorkflow(workflow).warnings).toEqual([])
    }
    expect(planWorkflow(investigate).groups).toEqual([['fetch_logs', 'fetch_metrics'], ['create_report']])
    expect(planWorkflow(scan).groups).toEqual([['sbom'], ['scan']])
  })

  it('gathers from several backends, goes on without one, and gives a typed output', async () => {
    const tools = scriptedTools({
      'logging.search_logs': () => says('12 errors'),
      'monitoring.get_metrics': () => Promise.reject(new Error('down')),
      jira_create_issue: () => says('INC-7'),
    })

    const result = workflowResult(await runToEnd(investigate, tools, { arguments: { incident_id: 'I1' } }))

    expect(tools.calls[0]?.arguments).toEqual({ query: 'incident_id=I1', hours: 24 })
    expect(tools.calls[2]?.arguments).toEqual({
      title: 'Incident I1',
      description: 'Logs: 12 errors\nMetrics: {"text":"none"} failed\n',
      labels: ['incident', 'I1'],
    })
    expect(result.structuredContent).toEqual({ key: 'INC-7', hours: 24, summary: { logs: '"12 errors"', steps: 2 } })
  })

  it('does what the user chose', async () => {
    const run = async (action: 'accept' | 'decline') => {
      const elicitation = {
        requestElicitation: () => Promise.resolve({ action, content: { reason: 'because' } }),
      }
      const tools = scriptedTools({ deploy: ({ env, reason }) => says(`${String(env)}: ${String(reason)}`) })
      return (await runToEnd(deploy, tools, { config: { elicitation } })).output
    }

    expect(await run('accept')).toEqual({ said: 'prod: because' })
    expect(await run('decline')).toEqual({ said: 'not deployed' })
  })

  it('loops over what a tool found', async () => {
    const tools = scriptedTools({
      fetch_sbom: () => says('{"packages":[{"name":"a"},{"name":"b"}]}'),
      'osv.query': ({ name, n }) => says(`${String(name)}${String(n)}`),
    })

    const run = await runToEnd(scan, tools, { arguments: { image: 'x' } })

    expect(run.output).toMatchObject({
      all: [{ output: { text: 'a0' } }, { output: { text: 'b1' } }],
      count: 2,
      note: 'a:completed, b:completed',
    })
  })
})
