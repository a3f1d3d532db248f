import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { WireFailure } from '../wire-failure.js'
import { resolveCommand } from './resolve-command.js'
import { safeEnvironment } from './safe-environment.js'

/** A program to start. */
export interface Program {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** How long a process gets at each stage of its end. */
export interface StopGrace {
  /** Milliseconds to leave by itself when its input ends. */
  readonly inputEndMs: number
  /** Milliseconds to leave on SIGTERM; then it is killed. */
  readonly terminateMs: number
}

/**
 * Starts a program in a process group of its own, without a shell. It is killed when this process exits before it.
 * Rejects with the cause when it cannot be started.
 */
export function startChild(program: Program): Promise<ChildProcessWithoutNullStreams> {
  const env = safeEnvironment(program.env)
  const { file, args, verbatim } = resolveCommand(program.command, program.args ?? [], {
    platform: process.platform,
    env,
    exists: existsSync,
  })
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => {
      reject(new WireFailure({ kind: 'unreachable', detail: startFault(error, program) }, { cause: error }))
    }
    try {
      const child = spawn(file, args, {
        env,
        cwd: program.cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: verbatim,
      })
      child.once('error', refuse)
      child.once('spawn', () => {
        killAtExit(child)
        resolve(child)
      })
    } catch (error) {
      refuse(error)
    }
  })
}

/** Ends a process and all it started: first its input, then SIGTERM, then SIGKILL. Resolves when it is gone. */
export async function stopChild(child: ChildProcessWithoutNullStreams, grace: StopGrace): Promise<void> {
  const exited = new Promise<boolean>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(true)
    else child.once('exit', () => resolve(true))
  })
  child.stdin.destroy()
  if (!(await within(exited, grace.inputEndMs))) {
    signalGroup(child, 'SIGTERM')
    await within(exited, grace.terminateMs)
  }
  signalGroup(child, 'SIGKILL')
  await within(exited, grace.terminateMs)
  child.stdout.destroy()
  child.stderr.destroy()
}

/** The processes that would outlive this one if it exited now: it no longer waits for anything then. */
const running = new Set<ChildProcessWithoutNullStreams>()

function killAtExit(child: ChildProcessWithoutNullStreams): void {
  if (running.size === 0) process.on('exit', killRunning)
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    if (running.size === 0) process.off('exit', killRunning)
  })
}

function killRunning(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform !== 'win32') process.kill(-child.pid, signal)
    else
      spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { windowsHide: true }).on('error', () => child.kill())
  } catch {
    // The group is already gone.
  }
}

function within(exited: Promise<boolean>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    void exited.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

function startFault(error: unknown, { command, cwd }: Program): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  if (cwd !== undefined && !existsSync(cwd)) return `working directory not found: ${cwd}`
  if (code === 'ENOENT') return `command not found: ${command}`
  if (code === 'EACCES') return `command not executable: ${command}`
  return `command cannot be started: ${command}${code === undefined ? '' : ` (${code})`}`
}
