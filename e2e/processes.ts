import { readFile, readdir } from 'node:fs/promises'

/** The processes below one, by id. Linux only; elsewhere none are found. */
export async function descendants(pid: number): Promise<readonly number[]> {
  const children = await childrenOf(pid)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

/** True while a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  try {
    const tasks = await readdir(`/proc/${pid}/task`)
    const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}
