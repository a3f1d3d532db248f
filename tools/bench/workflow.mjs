// What the workflow engine costs for each step, against the same calls as bare promises, and whether memory stays flat.
import { createComposer } from '@vmcp/composer'
import { interleave, printMachine, printTable } from './measure.mjs'

const answer = { content: [{ type: 'text', text: 'ok' }], structuredContent: { ok: true } }
const call = async () => answer
const tools = { resolve: (name) => ({ name }), call }
const composer = createComposer()

printMachine()
const rows = []
for (const count of [1, 10, 100]) {
  for (const [shape, dependsOn] of Object.entries(shapes(count))) {
    const workflow = makeWorkflow(count, dependsOn)
    await expectCompleted(workflow)
    const figures = await interleave(
      { bare: () => runBare(count, dependsOn), engine: () => composer.run(null, { workflow, tools }) },
      { rounds: 5, repetitions: Math.max(20, 2_000 / count) },
    )
    rows.push([`${count} ${shape}`, figures.bare, figures.engine, (figures.engine - figures.bare) / count])
  }
}
printTable('Workflow run, µs', ['steps', 'bare promises', 'engine', 'overhead a step'], rows)
await memory()
await composer.close()

function shapes(count) {
  if (count === 1) return { single: () => [] }
  return {
    chain: (index) => (index === 0 ? [] : [index - 1]),
    wide: () => [],
    diamond: (index) => (index === 0 ? [] : index === count - 1 ? range(1, count - 1) : [0]),
  }
}

function makeWorkflow(count, dependsOn) {
  return {
    name: 'bench',
    description: 'bench',
    steps: range(0, count).map((index) => ({
      id: `s${index}`,
      type: 'tool',
      tool: 'echo',
      arguments: { text: 'x', from: index === 0 ? 'start' : '{{.params.text}}' },
      dependsOn: dependsOn(index).map((step) => `s${step}`),
    })),
  }
}

async function runBare(count, dependsOn) {
  const started = []
  for (const index of range(0, count))
    started.push(Promise.all(dependsOn(index).map((step) => started[step])).then(call))
  await Promise.all(started)
}

async function expectCompleted(workflow) {
  const run = await composer.run(null, { workflow, tools, arguments: { text: 'y' } })
  if (run.status !== 'completed') throw new Error(`the workflow ended ${run.status}`)
}

async function memory() {
  const workflow = makeWorkflow(10, (index) => (index === 0 ? [] : [index - 1]))
  const heap = []
  for (let round = 0; round < 10; round += 1) {
    for (let index = 0; index < 1_000; index += 1) await composer.run(null, { workflow, tools })
    globalThis.gc?.()
    heap.push(process.memoryUsage().heapUsed / 1_048_576)
  }
  printTable(
    'Heap over 10 000 runs of 10 steps, MB',
    ['after', 'heap'],
    heap.map((value, index) => [`${(index + 1) * 1_000}`, value]),
  )
}

function range(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}
