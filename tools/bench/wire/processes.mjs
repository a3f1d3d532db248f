import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const gatewayMain = fileURLToPath(new URL('../../../packages/gateway/dist/main.js', import.meta.url))
const started = new Set()
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
/** The system under test has a core of its own; backends and load share the other. */
const cores = { system: '0', load: '1' }

process.on('exit', () => stopAll())

/** Keeps this process off the core of the system under test. False where processes cannot be pinned. */
export function pinLoad() {
  if (canPin) spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores.load, String(process.pid)])
  return canPin
}

/** Starts the echo backends; resolves with their ports. */
export async function startBackends({ count, tools, padding = 0, era = '2025' }) {
  const port = await freePorts(count)
  const environment = {
    PORT: port,
    COUNT: count,
    TOOLS: tools,
    PADDING: padding,
    ERA: era === '2026' ? '2026-07-28' : '',
  }
  const program = { core: cores.load, file: join(here, 'echo-backend.mjs'), args: [] }
  const child = await startProgram(program, environment, port + count - 1)
  return { ports: Array.from({ length: count }, (_, index) => port + index), child }
}

/** Starts the floor proxy in front of a backend. */
export async function startFloor(backendPort) {
  const port = await freePorts(1)
  const program = { core: cores.system, file: join(here, 'floor-proxy.mjs'), args: [] }
  return { port, child: await startProgram(program, { PORT: port, BACKEND: backendPort }, port) }
}

/** Starts vMCP in front of the backends and of `others`; `extra` is added to its configuration, `flags` are Node's. */
export async function startGateway(backendPorts, extra = {}, others = [], flags = []) {
  const port = await freePorts(1)
  const config = {
    name: 'bench',
    backends: [
      ...backendPorts.map((backend, index) => ({ name: `b${index}`, url: `http://127.0.0.1:${backend}/mcp` })),
      ...others,
    ],
    ...extra,
  }
  const file = join(mkdtempSync(join(tmpdir(), 'vmcp-bench-')), 'vmcp.json')
  writeFileSync(file, JSON.stringify(config))
  const args = ['serve', '--config', file, '--port', String(port)]
  return { port, child: await startProgram({ core: cores.system, file: gatewayMain, args, flags }, {}, port) }
}

/** Processor time of a process and its children so far, in microseconds; `undefined` where /proc is missing. */
export function processorTime(child) {
  try {
    return processTree(child.pid).reduce((sum, pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
      return sum + (Number(fields[11]) + Number(fields[12])) * 10_000
    }, 0)
  } catch {
    return undefined
  }
}

/** Resident memory of a process and its children, in MB; `undefined` where /proc is missing. */
export function residentMemory(child) {
  try {
    return processTree(child.pid).reduce(
      (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      0,
    )
  } catch {
    return undefined
  }
}

/** How many processes a process and its children are; `undefined` where /proc is missing. */
export function processCount(child) {
  try {
    return processTree(child.pid).length
  } catch {
    return undefined
  }
}

/** Ends what was started. */
export function stopAll() {
  for (const child of started) child.kill('SIGKILL')
  started.clear()
}

/** Ends one process. */
export function stop(child) {
  child.kill('SIGTERM')
  started.delete(child)
}

async function startProgram({ core, file, args, flags = [] }, environment, readyPort) {
  const env = {
    ...process.env,
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])),
  }
  const pinned = canPin ? ['taskset', '--cpu-list', core] : []
  const [command, ...rest] = [...pinned, process.execPath, ...flags, file, ...args]
  const child = spawn(command, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  started.add(child)
  let errors = ''
  child.stderr.on('data', (text) => (errors += text))
  child.once('exit', (code) => code && process.stderr.write(`${file} ended with ${code}: ${errors}\n`))
  await untilListening(readyPort)
  return child
}

async function untilListening(port) {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    if (await canConnect(port)) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`nothing listens on port ${port}`)
}

function canConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)))
    socket.on('error', () => resolve(false))
  })
}

/** The first of `count` successive ports that are free now. */
async function freePorts(count) {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = 20_000 + Math.floor(Math.random() * 20_000)
    const free = await Promise.all(Array.from({ length: count }, (_, index) => canListen(first + index)))
    if (free.every(Boolean)) return first
  }
  throw new Error(`no ${count} free ports in a row`)
}

function canListen(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

function processTree(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(processTree)]
}
