import { Identity, InvalidConfig, silentLogger } from '@vmcp/domain'
import type { JsonObject, Logger } from '@vmcp/domain'
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'

import type { AuthorizationConfig } from '../core-config.js'
import { Admission } from './admission.js'
import type { AdmissionShape } from './admission.js'
import type { Question } from './question.js'

const alice = new Identity({ issuer: 'https://idp.example', subject: 'alice' })

describe('Admission without authorization', () => {
  it('CORE-A13 allows everything to nobody and gives a list back as it is', async () => {
    const items = ['a', 'b']
    const kept = await using(undefined, (admission) => admission.keep(null, items, tool))
    expect(kept).toBe(items)
    expect(await using(undefined, (admission) => admission.decide(null, tool('a')))).toEqual({
      allowed: true,
      policyIds: [],
    })
  })
})

describe('Admission by Cedar', () => {
  it('CORE-A01 keeps and allows exactly the tools that a policy permits', async () => {
    const admission = policies('permit(principal, action == Action::"call_tool", resource == Tool::"weather");')
    expect(await keeps(admission, ['weather', 'calculator'])).toEqual(['weather'])
    expect(await allows(admission, tool('weather'))).toBe(true)
    expect(await allows(admission, tool('calculator'))).toBe(false)
  })

  it('CORE-A02 keeps items in the order they came', async () => {
    const admission = policies('permit(principal, action, resource) unless { resource.name == "denied" };')
    expect(await keeps(admission, ['allowed', 'denied', 'allowed2'])).toEqual(['allowed', 'allowed2'])
  })

  it('CORE-A03 leaves out an item whose policy cannot be evaluated, and keeps the others', async () => {
    const admission = policies(
      'permit(principal, action, resource);',
      'forbid(principal, action, resource == Tool::"error") when { context.missing == 1 };',
    )
    expect(await keeps(admission, ['error', 'good'])).toEqual(['good'])
  })

  it('CORE-A04 denies when the engine throws', async () => {
    const admission = policies('permit(principal, action, resource) when { !(context has arg_text) || true };')
    expect(await allows(admission, tool('echo', { text: 'fine' }))).toBe(true)
    expect(await allows(admission, tool('echo', { text: 'half a pair: \ud800' }))).toBe(false)
  })

  it('CORE-A05 CORE-A14 SRV-Z078 sees the hints of a tool, and no hint where it has none', async () => {
    const admission = policies('permit(principal, action, resource) when { resource.readOnlyHint == true };')
    const hinted = (readOnlyHint: boolean): Question => ({ kind: 'tool', name: 't', annotations: { readOnlyHint } })
    expect(await allows(admission, hinted(true))).toBe(true)
    expect(await allows(admission, hinted(false))).toBe(false)
    expect(await allows(admission, { kind: 'tool', name: 't' })).toBe(false)
    expect(await allows(admission, { kind: 'tool', name: 't', annotations: { title: 'T' } })).toBe(false)
  })

  it('CORE-A05 never lets an annotation or argument stand in for an attribute of ours', async () => {
    const admission = policies('permit(principal, action, resource) when { resource.name == "safe" };')
    const question: Question = {
      kind: 'tool',
      name: 'evil',
      annotations: { name: 'safe' },
      arguments: { name: 'safe' },
    }
    expect(await allows(admission, question)).toBe(false)
  })

  it('CORE-A06 sees the arguments, so a policy on them hides the tool from lists', async () => {
    const admission = policies(
      'permit(principal, action == Action::"call_tool", resource == Tool::"deploy") when { context.arg_mode == "safe" };',
    )
    expect(await allows(admission, tool('deploy', { mode: 'safe' }))).toBe(true)
    expect(await allows(admission, tool('deploy', { mode: 'dangerous' }))).toBe(false)
    expect(await keeps(admission, ['deploy'])).toEqual([])
  })

  it('CORE-A07 SRV-Z073 lets a forbid on an argument beat a permit, and lists the tool', async () => {
    const admission = policies(
      'permit(principal, action == Action::"call_tool", resource == Tool::"echo");',
      'forbid(principal, action, resource) when { context has arg_input && context.arg_input == "blocked" };',
    )
    expect(await keeps(admission, ['echo', 'other'])).toEqual(['echo'])
    expect(await allows(admission, tool('echo', { input: 'hello' }))).toBe(true)
    expect(await allows(admission, tool('echo', { input: 'blocked' }))).toBe(false)
    expect(await allows(admission, tool('other', { input: 'hello' }))).toBe(false)
  })

  it('CORE-A11 SRV-Z075 asks about resources by their exact URI and about prompts by name', async () => {
    const admission = policies(
      'permit(principal, action == Action::"read_resource", resource == Resource::"file:///a b?c=1#d");',
      'permit(principal, action == Action::"get_prompt", resource == Prompt::"p-a");',
    )
    expect(await allows(admission, { kind: 'resource', uri: 'file:///a b?c=1#d' })).toBe(true)
    expect(await allows(admission, { kind: 'resource', uri: 'file:///a_b?c=1#d' })).toBe(false)
    expect(await allows(admission, { kind: 'prompt', name: 'p-a' })).toBe(true)
    expect(await allows(admission, { kind: 'prompt', name: 'p-b' })).toBe(false)
    expect(await allows(admission, tool('p-a'))).toBe(false)
  })

  it('CORE-A12 denies everything to nobody', async () => {
    const admission = policies('permit(principal, action, resource);')
    expect(await keeps(admission, ['weather'], null)).toEqual([])
    expect(await allows(admission, tool('weather'), null)).toBe(false)
    expect(await allows(admission, tool('weather'), new Identity({ issuer: 'i', subject: '' }))).toBe(false)
  })

  it('CORE-A15 warns of a policy that cannot be evaluated, without the caller', async () => {
    const secret = 'super-secret-token-value'
    const written: string[] = []
    const write = (level: string) => (message: string, fields?: object) =>
      void written.push(`${level} ${message} ${JSON.stringify(fields)}`)
    const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
    const mallory = new Identity({ issuer: 'i', subject: 'mallory', claims: { role: 'spy' }, token: secret })
    const admission = policies('permit(principal, action, resource) when { principal.claim_role.x == 1 };')
    await using({ ...admission, logger }, (shape) => shape.keep(mallory, ['weather', 'calculator'], tool))
    expect(written.filter((line) => line.startsWith('warn'))).toHaveLength(1)
    expect(written.join('\n')).toContain('policy0')
    for (const word of [secret, 'mallory', 'spy']) expect(written.join('\n')).not.toContain(word)
  })

  it('SRV-Z074 answers a denied tool and a name that nobody has alike', async () => {
    const admission = policies('permit(principal, action, resource == Tool::"unrelated");')
    const decide = (name: string) => using(admission, (shape) => shape.decide(alice, tool(name)))
    expect(await decide('echo')).toEqual(await decide('no-such-tool'))
  })

  it('SRV-Z079 gives whole numbers as Long and tells missing arguments', async () => {
    const admission = policies(
      'permit(principal, action, resource) when { context.arg_operation == "add" && context.arg_value1 == 5 };',
    )
    expect(await allows(admission, tool('calculator', { operation: 'add', value1: 5, value2: 10 }))).toBe(true)
    expect(await allows(admission, tool('calculator', {}))).toBe(false)
  })

  it('SRV-Z080 reaches into the act claim', async () => {
    const admission = policies(
      'permit(principal, action, resource) when { context has claim_act && context.claim_act.sub like "spiffe://toolhive.dev/ns/agents/sa/*" };',
    )
    const acting = (sub: string) => new Identity({ issuer: 'i', subject: 'u', claims: { act: { sub } } })
    const agent = acting('spiffe://toolhive.dev/ns/agents/sa/devops-agent')
    expect(await allows(admission, tool('t'), agent)).toBe(true)
    expect(await allows(admission, tool('t'), acting('spiffe://evil.example.com/ns/agents/sa/devops-agent'))).toBe(
      false,
    )
    expect(await allows(admission, tool('t'))).toBe(false)
  })

  it('SRV-Z081 puts every resource into the server', async () => {
    const admission = policies('permit(principal, action, resource in MCP::"server");')
    expect(await allows({ ...admission, serverName: 'server' }, tool('t'))).toBe(true)
    expect(await allows({ ...admission, serverName: 'other' }, tool('t'))).toBe(false)
  })

  // The reference runs without a server name, and denies; here that is a mistake of the configuration.
  it('SRV-Z081 refuses an empty server name, in which nothing can be', async () => {
    const nameless = { ...policies('permit(principal, action, resource in MCP::"");'), serverName: '' }
    await expect(allows(nameless, tool('t'))).rejects.toBeInstanceOf(InvalidConfig)
  })

  it('SRV-Z082 puts a caller into the groups of its claims', async () => {
    const admission = policies('permit(principal in Team::"eng", action, resource);')
    const names = { groupEntityType: 'Team', groupClaimName: 'realm_access.roles' }
    const config = { ...admission, authorization: { ...admission.authorization, ...names } }
    const member = (roles: unknown) => new Identity({ issuer: 'i', subject: 'u', claims: { realm_access: { roles } } })
    expect(await allows(config, tool('t'), member(['eng']))).toBe(true)
    expect(await allows(config, tool('t'), member(['ops']))).toBe(false)
    expect(await allows(config, tool('t'))).toBe(false)
  })

  it('SRV-Z083 denies a caller without the token of the upstream provider', async () => {
    const admission = policies('permit(principal, action, resource);')
    const config = { ...admission, authorization: { ...admission.authorization, primaryUpstreamProvider: 'github' } }
    const holder = new Identity({ issuer: 'i', subject: 'u', upstreamTokens: { github: 'opaque' } })
    expect(await allows(config, tool('t'), holder)).toBe(true)
    expect(await allows(config, tool('t'))).toBe(false)
  })

  it('does not take an argument for the marker of another', async () => {
    const admission = policies(
      'permit(principal, action, resource);',
      'forbid(principal, action, resource) when { context has arg_x_present && context.arg_x_present == true };',
    )
    expect(await allows(admission, tool('t', { x: 1 }))).toBe(true)
    expect(await allows(admission, tool('t', { x: [1] }))).toBe(false)
    expect(await allows(admission, tool('t', { x: [1], x_present: false }))).toBe(false)
  })

  it('gives what it knows of the policies that decided', async () => {
    const admission = policies(
      '@id("everyone") permit(principal, action, resource);',
      'forbid(principal, action, resource == Tool::"rm");',
    )
    const decide = (name: string) => using(admission, (shape) => shape.decide(alice, tool(name)))
    expect(await decide('ls')).toEqual({ allowed: true, policyIds: ['everyone'] })
    expect(await decide('rm')).toEqual({
      allowed: false,
      why: 'forbidden',
      policyIds: ['policy1'],
      argumentsMayHelp: false,
    })
  })

  it('gives the sub and iss of a caller that came without a token', async () => {
    const admission = policies(
      'permit(principal == Client::"alice", action, resource) when { principal.claim_sub == "alice" && context.claim_iss == "https://idp.example" };',
    )
    expect(await allows(admission, tool('t'))).toBe(true)
  })

  it('joins the entities of the configuration with those of the request', async () => {
    const admission = policies(
      'permit(principal in THVGroup::"staff", action, resource in Suite::"safe");',
      'forbid(principal == Client::"eve", action, resource == Tool::"ls");',
    )
    const entitiesJson = JSON.stringify([
      { uid: { type: 'Client', id: 'alice' }, parents: [{ type: 'THVGroup', id: 'dev' }] },
      { uid: { __entity: { type: 'THVGroup', id: 'dev' } }, attrs: {}, parents: [{ type: 'THVGroup', id: 'staff' }] },
      { uid: { type: 'Tool', id: 'ls' }, attrs: {}, parents: [{ type: 'Suite', id: 'safe' }] },
    ])
    const config = { ...admission, authorization: { ...admission.authorization, entitiesJson } }
    const inGroup = new Identity({ issuer: 'i', subject: 'alice', claims: { groups: ['dev'] } })
    expect(await allows(config, tool('ls'))).toBe(true)
    expect(await allows(config, tool('ls'), inGroup)).toBe(true)
    expect(await allows(config, tool('rm'))).toBe(false)
    expect(await allows(config, tool('ls'), new Identity({ issuer: 'i', subject: 'bob' }))).toBe(false)
  })

  it('tells callers with the same subject and other claims apart', async () => {
    const admission = policies('permit(principal in THVGroup::"eng", action, resource) when { context.claim_mfa };')
    const known = (claims: JsonObject) => new Identity({ issuer: 'i', subject: 'same', claims })
    const callers = [
      known({ groups: ['eng'], mfa: true }),
      known({ groups: ['eng'], mfa: false }),
      known({ groups: ['ops'], mfa: true }),
    ]
    const decisions = await using(admission, ({ decide }) =>
      Effect.forEach([...callers, ...callers], (caller) => decide(caller, tool('t'))),
    )
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, false, false, true, false, false])
  })

  it('lets other work go on while it decides a long list', async () => {
    const admission = policies('permit(principal, action, resource);')
    const names = Array.from({ length: 200 }, (_, index) => `tool${index}`)
    let turns = 0
    let counting = setImmediate(function count() {
      turns++
      counting = setImmediate(count)
    })
    const kept = await using(admission, (shape) => {
      turns = 0
      return shape.keep(alice, names, tool)
    })
    clearImmediate(counting)
    expect(kept).toEqual(names)
    expect(turns).toBeGreaterThanOrEqual(names.length / 16 - 1)
  })

  it('denies once it is closed', async () => {
    const shape = await using(policies('permit(principal, action, resource);'), (open) => Effect.succeed(open))
    expect(await Effect.runPromise(shape.decide(alice, tool('t')))).toMatchObject({ allowed: false })
  })
})

interface Options {
  readonly serverName: string
  readonly authorization: AuthorizationConfig
  readonly logger?: Logger
}

function policies(...texts: string[]): Options {
  return { serverName: 'server', authorization: { type: 'cedar', policies: texts } }
}

function tool(name: string, given?: Record<string, unknown>): Question {
  return given === undefined ? { kind: 'tool', name } : { kind: 'tool', name, arguments: given }
}

function using<A>(options: Options | undefined, use: (admission: AdmissionShape) => Effect.Effect<A>): Promise<A> {
  const layer = Admission.layer({ serverName: 'server', logger: silentLogger, ...options })
  const program = Effect.gen(function* () {
    return yield* use(yield* Admission)
  })
  return Effect.runPromise(Effect.provide(program, layer))
}

async function allows(options: Options, question: Question, identity: Identity | null = alice): Promise<boolean> {
  return (await using(options, (admission) => admission.decide(identity, question))).allowed
}

function keeps(options: Options, names: readonly string[], identity: Identity | null = alice) {
  return using(options, (admission) => admission.keep(identity, names, tool))
}
