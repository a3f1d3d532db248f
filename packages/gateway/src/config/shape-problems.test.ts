import { InvalidConfig } from '@vmcp/domain'
import { describe, expect, it } from 'vitest'
import { parseConfig } from './load.js'

/** The problems of a file with these backends, or with this other text, as `path: message`. */
function problemsOf(source: string): readonly string[] {
  try {
    parseConfig('vmcp.yaml', source, {})
    return []
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error
    return error.problems.map(({ path, message }) => `${path}: ${message}`)
  }
}

const withBackend = (fields: string) => problemsOf(`name: a\nbackends: [{ name: one, ${fields} }]`)

describe('shapeProblems', () => {
  it('asks for a url or a command of a backend that has neither', () => {
    expect(withBackend('comand: npx')).toEqual([
      'backends[0].url: is required: expected a url, or a command to start',
      'backends[0].comand: unknown key "comand"',
    ])
  })

  it.each([
    ['command: npx, url: "http://a"', 'backends[0].url: a backend that is started by a command has no "url"'],
    ['url: "http://a", args: [x]', 'backends[0].args: a backend that is reached by url has no "args"'],
  ])('says which field does not go with the other: %s', (fields, problem) => {
    expect(withBackend(fields)).toEqual([problem])
  })

  it('refuses a URL with a password, and does not show it', () => {
    const [problem] = withBackend('url: "http://ada:hidden@a/mcp"')
    expect(problem).toContain('credentials belong in outgoingAuth')
    expect(problem).not.toContain('hidden')
  })

  it.each(['mcpServers', 'servers'])('tells who brings the file of a client where servers stand here: %s', (key) => {
    expect(problemsOf(`${key}: {}`)).toContainEqual(
      `${key}: unknown key "${key}": servers stand in the list backends, each with a name`,
    )
  })

  it('tells who brings a VirtualMCPServer what to take of it', () => {
    expect(problemsOf('spec: {}')).toContainEqual(
      'spec: unknown key "spec": what stands under spec.config of a VirtualMCPServer stands at the top here',
    )
  })

  it('tells who writes keys with underscores how they are written', () => {
    expect(problemsOf('name: a\nbackends: []\noutgoing_auth: {}')).toEqual([
      'outgoing_auth: unknown key "outgoing_auth": keys are written in camelCase',
    ])
  })
})
