// How long the gateway takes from its start to the first list, with backends that are down and one that never answers.
//   node tools/bench/start.mjs [--rounds 5]
import { createServer } from 'node:net'
import { parseArgs } from 'node:util'
import { median, printMachine, printTable } from './measure.mjs'
import { LoadClient } from './wire/load.mjs'
import { pinLoad, startBackends, startGateway, stop, stopAll } from './wire/processes.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const [well, down, tools] = [46, 3, 20]

printMachine()
pinLoad()
const { ports } = await startBackends({ count: well, tools })
const hanging = await silentServer()
const dead = await Promise.all(Array.from({ length: down }, deadPort))
const troubled = [hanging.address().port, ...ports, ...dead]
printTable(
  `Start with ${tools} tools of each backend, ms (median of ${values.rounds})`,
  ['backends', 'listening', 'all listed'],
  [
    [`${well} well`, ...(await measure(ports))],
    [`${well} well, ${down} down, 1 silent`, ...(await measure(troubled))],
  ],
)
hanging.close()
stopAll()
process.exit()

async function measure(backendPorts) {
  const rounds = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const began = performance.now()
    const gateway = await startGateway(backendPorts)
    const listening = performance.now() - began
    const client = await LoadClient.open(gateway.port, '2025')
    await client.list(well * tools)
    rounds.push({ listening, listed: performance.now() - began })
    client.close()
    stop(gateway.child)
  }
  return [median(rounds.map(({ listening }) => listening)), median(rounds.map(({ listed }) => listed))]
}

/** Takes connections and says nothing. */
async function silentServer() {
  const server = createServer(() => {})
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** A port on which nobody listens. */
async function deadPort() {
  const server = await silentServer()
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
