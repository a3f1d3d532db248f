// Whether the gateway stays as it is under use: 16 callers who list, call, fail and open and close sessions, for minutes.
//   node tools/bench/soak.mjs [--minutes 10]
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printMachine, printTable } from './measure.mjs'
import { LoadClient } from './wire/load.mjs'
import { processCount, residentMemory, startBackends, startGateway, stopAll } from './wire/processes.mjs'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
const callers = 16
const samplesInAll = 20

printMachine()
const { ports } = await startBackends({ count: 3, tools: 20 })
const stdio = new URL('../../packages/sdk-adapter/src/testing/programs/stdio-server.mjs', import.meta.url).pathname
const collector = fileURLToPath(new URL('wire/collect-on-signal.cjs', import.meta.url))
const local = { name: 'local', command: process.execPath, args: [stdio, '--sdk=none'] }
const gateway = await startGateway(ports, {}, [local], ['--expose-gc', '--require', collector])
const counts = { calls: 0, lists: 0, refusals: 0, sessions: 0, disconnects: 0 }
const until = performance.now() + minutes * 60_000
const rows = []
const sampler = setInterval(sample, (minutes * 60_000) / samplesInAll)
await Promise.all(Array.from({ length: callers }, (_, index) => use(index)))
clearInterval(sampler)
printTable('Soak', ['minute', 'RSS MB', 'open files', 'processes', 'calls', 'sessions'], rows)
const [half, last] = [rows[Math.floor(rows.length / 2) - 1], rows.at(-1)]
const slope = (last[1] - half[1]) / (Number(last[0]) - Number(half[0]))
process.stdout.write(`\nRSS slope over the second half: ${slope.toFixed(2)} MB a minute; ${JSON.stringify(counts)}\n`)
stopAll()

/** One caller: a session of a few dozen requests, ended one way or the other, again and again. */
async function use(index) {
  for (let round = 0; performance.now() < until; round += 1) {
    const client = await LoadClient.open(gateway.port, (index + round) % 2 === 0 ? '2025' : '2026')
    counts.sessions += 1
    for (let request = 0; request < 40 && performance.now() < until; request += 1) await act(client, request)
    if (round % 100 === 99) counts.disconnects += 1
    else await client.end()
    client.close()
  }
}

async function act(client, request) {
  if (request % 10 === 9) {
    counts.lists += 1
    return client.list(3 * 20 + 12)
  }
  if (request % 5 === 4) {
    counts.refusals += 1
    return client.callMissing()
  }
  counts.calls += 1
  return client.call(request % 3 === 0 ? 'local_echo' : `b${request % 3}_echo`)
}

/** What stays: before a full collection, most of what is resident is garbage. */
async function sample() {
  gateway.child.kill('SIGUSR2')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const minute = (minutes - (until - performance.now()) / 60_000).toFixed(1)
  const files = openFiles(gateway.child.pid)
  rows.push([minute, residentMemory(gateway.child), files, processCount(gateway.child), counts.calls, counts.sessions])
}

function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return '-'
  }
}
