// What the core costs: building a view, listing from the cache, and calling a tool with and without Cedar.
import { createVMCP } from '@vmcp/core'
import { Identity } from '@vmcp/domain'
import { memoryBackends } from './backends.mjs'
import { interleave, median, printMachine, printTable } from './measure.mjs'

const identity = new Identity({ issuer: 'bench', subject: 'someone', claims: { role: 'developer' } })

printMachine()
await viewBuild()
await cachedList()
await callOverhead()

async function viewBuild() {
  const rows = []
  for (const count of [1, 10, 50]) {
    const times = []
    for (let round = 0; round < 9; round += 1) {
      const vmcp = createVMCP({ name: 'bench', backends: memoryBackends(count, 100) })
      const began = performance.now()
      await vmcp.listTools(null)
      times.push(performance.now() - began)
      await vmcp.close()
    }
    rows.push([`${count} x 100 tools`, times[0], median(times.slice(1))])
  }
  printTable('View build, ms', ['backends', 'first', 'median'], rows)
}

async function cachedList() {
  const rows = []
  for (const count of [1, 10]) {
    const vmcp = createVMCP({
      name: 'bench',
      backends: memoryBackends(count, 100),
      aggregation: { cacheTtlMs: 3_600_000 },
    })
    const answer = await vmcp.listTools(null)
    const plain = async () => answer
    const figures = await interleave({ plain, cached: () => vmcp.listTools(null) }, { repetitions: 2_000 })
    rows.push([`${count * 100} tools`, figures.plain, figures.cached])
    await vmcp.close()
  }
  printTable('Cached list, µs', ['view', 'plain function', 'listTools'], rows)
}

async function callOverhead() {
  const backends = memoryBackends(10, 100)
  const request = { name: 'backend3_tool_7', arguments: { text: 'x', count: 1 } }
  const aggregation = { cacheTtlMs: 3_600_000 }
  const cores = {
    bare: createVMCP({ name: 'bench', backends, aggregation }),
    ...Object.fromEntries(
      [6, 51, 501].map((count) => [
        `cedar ${count}`,
        createVMCP({
          name: 'bench',
          backends,
          aggregation,
          authorization: { type: 'cedar', policies: policies(count) },
        }),
      ]),
    ),
  }
  const client = backends[3].client
  const subjects = {
    'plain function': () => client.callTool(identity, request),
    ...Object.fromEntries(Object.entries(cores).map(([name, vmcp]) => [name, () => vmcp.callTool(identity, request)])),
    ...Object.fromEntries(
      Object.entries(cores).map(([name, vmcp]) => [
        `${name}, new arguments`,
        (index) => vmcp.callTool(identity, { ...request, arguments: { text: `${name} ${index} ${Math.random()}` } }),
      ]),
    ),
  }
  const figures = await interleave(subjects, { rounds: 5, repetitions: 500 })
  const plain = figures['plain function']
  printTable(
    'callTool, µs a call',
    ['subject', 'µs', 'over plain'],
    Object.entries(figures).map(([name, time]) => [name, time, time - plain]),
  )
  await Promise.all(Object.values(cores).map((vmcp) => vmcp.close()))
}

function policies(count) {
  const others = Array.from(
    { length: count - 1 },
    (_, index) => `permit(principal, action == Action::"call_tool", resource == Tool::"other_${index}");`,
  )
  return [...others, 'permit(principal, action, resource);']
}
