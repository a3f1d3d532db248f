import type { BackendStatus, Finding, Tool, ViewReport } from '@vmcp/domain'
import { isVmcpError } from '@vmcp/domain'
import type { BackendStart } from '../backend-start.js'

/** What is served, for the startup report. */
export interface Served {
  readonly name: string
  readonly url: string
  readonly backends: readonly BackendStatus[]
  readonly failures: ReadonlyMap<string, string>
  readonly compositeTools: readonly Pick<Tool, 'name'>[]
  readonly report: ViewReport
}

/** The startup report: backends with counts, composite tools, conflicts, the URL and a snippet to paste. */
export function reportText(served: Served): string {
  return [
    '',
    `  ${served.name}`,
    '',
    ...table(served.backends.map((backend) => backendRow(backend, served.failures.get(backend.id)))),
    ...compositeLines(served.compositeTools),
    ...findingLines(served.report.findings),
    '',
    `  Serving ${served.url}`,
    '',
    '  Paste this into the MCP settings of your client:',
    '',
    indent(clientSnippet(served.name, served.url)),
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n')
}

/** One line on how a backend started. */
export function startLine(start: BackendStart, seconds: string): string {
  if (start.outcome === 'failed') return `  ✗ ${start.id}: ${failureText(start.error)}`
  if (start.outcome === 'waiting') return `  … ${start.id}: no answer after ${seconds} s, still waiting`
  const { serverInfo } = start.description
  const server = serverInfo === undefined ? '' : ` (${[serverInfo.name, serverInfo.version].filter(Boolean).join(' ')})`
  return `  ✓ ${start.id}${server} in ${seconds} s`
}

/** What went wrong with a backend, in our own words. */
export function failureText(error: unknown): string {
  return isVmcpError(error) ? error.message : 'internal error'
}

/** The `mcpServers` entry that clients accept. */
export function clientSnippet(name: string, url: string): string {
  return JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, undefined, 2)
}

function backendRow(backend: BackendStatus, failure: string | undefined): readonly string[] {
  if (failure !== undefined) return [backend.id, backend.transport ?? '', 'not served', failure]
  const offers = backend.offers ?? { tools: 0, resources: 0, templates: 0, prompts: 0 }
  return [
    backend.id,
    backend.transport ?? '',
    [
      count(offers.tools, 'tool'),
      count(offers.resources, 'resource'),
      count(offers.templates, 'template'),
      count(offers.prompts, 'prompt'),
    ]
      .filter((part) => part !== undefined)
      .join(', ') || 'nothing',
  ]
}

function compositeLines(tools: readonly Pick<Tool, 'name'>[]): readonly string[] {
  if (tools.length === 0) return []
  return ['', '  Composite tools', ...tools.map(({ name }) => `    ${name}`)]
}

/** Findings that the startup report leaves out: they are meant, or told elsewhere. */
const quiet = new Set<Finding['reason']>(['renamed', 'hidden', 'backend-failed'])

function findingLines(findings: readonly Finding[]): readonly string[] {
  const conflicts = findings.filter(({ reason }) => reason === 'lost-conflict').length
  const notable = findings.filter(({ reason }) => !quiet.has(reason))
  return [
    '',
    `  Conflicts: ${conflicts === 0 ? 'none' : conflicts}`,
    ...notable.map((finding) => `    ${findingText(finding)}`),
  ]
}

/** Findings whose sentence names what it is about. */
const named = new Set<Finding['reason']>(['unused-setting', 'outdated-setting', 'composite-dropped'])

function findingText({ reason, kind, subject, backendId, message }: Finding): string {
  if (named.has(reason)) return message
  if (subject === backendId) return `${backendId}: ${message}`
  return `${kind} "${subject}"${backendId === undefined ? '' : ` of ${backendId}`}: ${message}`
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd())
}

function count(amount: number, what: string): string | undefined {
  return amount === 0 ? undefined : `${amount} ${what}${amount === 1 ? '' : 's'}`
}

function indent(lines: string): string {
  return lines.replaceAll(/^/gm, '    ')
}
