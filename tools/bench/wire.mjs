// What the gateway costs on the wire: the same load on a backend directly, through the floor proxy and through vMCP, in turn.
//   node tools/bench/wire.mjs [--seconds 3] [--rounds 3] [--quick]
import { parseArgs } from 'node:util'
import { median, percentile, printMachine, printTable } from './measure.mjs'
import { LoadClient, closedLoop, openLoop } from './wire/load.mjs'
import {
  pinLoad,
  processorTime,
  residentMemory,
  startBackends,
  startFloor,
  startGateway,
  stop,
  stopAll,
} from './wire/processes.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    quick: { type: 'boolean' },
  },
})
const seconds = values.quick ? 1 : Number(values.seconds)
const warmUpSeconds = values.quick ? 1 : 3
const rounds = values.quick ? 1 : Number(values.rounds)
const cedar = {
  incomingAuth: {
    type: 'local',
    authz: {
      type: 'cedar',
      policies: [
        ...Array.from(
          { length: 5 },
          (_, index) => `permit(principal, action == Action::"call_tool", resource == Tool::"other_${index}");`,
        ),
        'permit(principal, action, resource);',
      ],
    },
  },
}

printMachine()
console.log(
  pinLoad() ? 'the system under test on core 0, backends and load on core 1' : 'no process is pinned to a core',
)
await calls('2025')
await calls('2026')
await manyBackends()
await openLoopCalls()
await lists()
await largeResults()
stopAll()

async function calls(era) {
  const { ports, child: backend } = await startBackends({ count: 2, tools: 10, era })
  const systems = {
    direct: { port: ports[0], child: backend, tool: 'echo' },
    floor: { ...(await startFloor(ports[0])), tool: 'b0_echo' },
    vmcp: { ...(await startGateway(ports)), tool: 'b0_echo' },
    'vmcp, cedar': { ...(await startGateway(ports, cedar)), tool: 'b0_echo' },
  }
  for (const callers of [1, 16, 64]) {
    const figures = await measure(systems, era, callers, (client, { tool }) => client.call(tool))
    printRatios(`tools/call, ${era} clients and backends, ${callers} callers`, figures)
  }
  for (const { child } of Object.values(systems)) stop(child)
}

async function manyBackends() {
  for (const count of [1, 10, 50]) {
    const { ports, child: backend } = await startBackends({ count, tools: 20 })
    const systems = {
      direct: { port: ports[0], child: backend, tool: 'echo' },
      vmcp: { ...(await startGateway(ports)), tool: 'b0_echo' },
    }
    const figures = await measure(systems, '2025', 16, (client, { tool }) => client.call(tool))
    printRatios(`tools/call, ${count} backends of 20 tools, 16 callers`, figures)
    for (const { child } of Object.values(systems)) stop(child)
  }
}

async function openLoopCalls() {
  const { ports, child: backend } = await startBackends({ count: 2, tools: 10 })
  const systems = {
    direct: { port: ports[0], child: backend, tool: 'echo' },
    floor: { ...(await startFloor(ports[0])), tool: 'b0_echo' },
    vmcp: { ...(await startGateway(ports)), tool: 'b0_echo' },
  }
  const rows = []
  for (const [name, { port, tool }] of Object.entries(systems)) {
    const clients = await openClients(port, '2025', 16)
    await openLoop(clients, (client) => client.call(tool), { rate: 400, seconds: 1 })
    const { latencies } = await openLoop(clients, (client) => client.call(tool), { rate: 400, seconds: seconds * 2 })
    rows.push([name, percentile(latencies, 0.5), percentile(latencies, 0.99), Math.max(...latencies)])
    for (const client of clients) client.close()
  }
  printTable('tools/call, open loop, 400 a second over 16 sessions, ms', ['system', 'p50', 'p99', 'max'], rows)
  for (const { child } of Object.values(systems)) stop(child)
}

async function lists() {
  const rows = []
  for (const [count, total, extra] of [
    [1, 10],
    [1, 100],
    [1, 1_000],
    [10, 1_000],
    [50, 1_000],
    [1, 1_000, cedar],
    [50, 1_000, cedar],
  ]) {
    const { ports, child: backend } = await startBackends({ count, tools: total / count })
    const gateway = await startGateway(ports, extra)
    const [client] = await openClients(gateway.port, '2025', 1)
    await closedLoop([client], () => client.list(total), 1)
    const before = processorTime(gateway.child)
    const { latencies } = await closedLoop([client], () => client.list(total), seconds)
    const processor = (processorTime(gateway.child) - before) / latencies.length / 1_000
    const name = `${count} x ${total / count}${extra === undefined ? '' : ', cedar'}`
    const memory = residentMemory(gateway.child) ?? '-'
    rows.push([name, percentile(latencies, 0.5), percentile(latencies, 0.99), processor, memory])
    client.close()
    stop(gateway.child)
    stop(backend)
  }
  printTable('tools/list, 1 caller, ms', ['backends x tools', 'p50', 'p99', 'CPU', 'RSS MB'], rows)
}

async function largeResults() {
  const { ports, child: backend } = await startBackends({ count: 1, tools: 1, padding: 100_000 })
  const systems = {
    direct: { port: ports[0], child: backend, tool: 'echo' },
    floor: { ...(await startFloor(ports[0])), tool: 'b0_echo' },
    vmcp: { ...(await startGateway(ports)), tool: 'b0_echo' },
  }
  printRatios(
    'tools/call, 100 KB results, 16 callers',
    await measure(systems, '2025', 16, (client, { tool }) => client.call(tool)),
  )
  for (const { child } of Object.values(systems)) stop(child)
}

async function measure(systems, era, callers, act) {
  const samples = Object.fromEntries(Object.keys(systems).map((name) => [name, []]))
  for (const system of Object.values(systems)) await warmUp(system, era, act)
  const clients = {}
  for (const [name, { port }] of Object.entries(systems)) clients[name] = await openClients(port, era, callers)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, system] of Object.entries(systems)) {
      const before = processorTime(system.child)
      const { latencies, rate } = await closedLoop(clients[name], (client) => act(client, system), seconds)
      const processor = (processorTime(system.child) - before) / latencies.length
      samples[name].push({ rate, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), processor })
    }
  }
  for (const open of Object.values(clients)) for (const client of open) client.close()
  return Object.fromEntries(
    Object.entries(systems).map(([name, { child }]) => [
      name,
      { ...middle(samples[name]), memory: residentMemory(child) },
    ]),
  )
}

/** Has enough calls behind it, whatever the number of callers, that its code is compiled. */
async function warmUp(system, era, act) {
  const clients = await openClients(system.port, era, 16)
  await closedLoop(clients, (client) => act(client, system), warmUpSeconds)
  for (const client of clients) client.close()
}

function printRatios(title, figures) {
  const direct = Object.values(figures)[0].rate
  printTable(
    title,
    ['system', 'calls/s', 'of direct', 'p50 ms', 'p99 ms', 'CPU µs', 'RSS MB'],
    Object.entries(figures).map(([name, { rate, p50, p99, processor, memory }]) => [
      name,
      rate,
      rate / direct,
      p50,
      p99,
      processor ?? '-',
      memory ?? '-',
    ]),
  )
}

function openClients(port, era, count) {
  return Promise.all(Array.from({ length: count }, () => LoadClient.open(port, era)))
}

function middle(samples) {
  return Object.fromEntries(Object.keys(samples[0]).map((key) => [key, median(samples.map((sample) => sample[key]))]))
}
