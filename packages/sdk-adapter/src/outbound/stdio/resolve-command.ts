import { win32 } from 'node:path'

/** A program and its arguments, as the operating system wants them. */
export interface ResolvedCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Windows only: the arguments are already quoted for `cmd.exe`. */
  readonly verbatim: boolean
}

/** What the resolution depends on. */
export interface CommandEnvironment {
  readonly platform: NodeJS.Platform
  /** Looked up without regard to case, as Windows does. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** True when a file of that path exists. */
  exists(path: string): boolean
}

/**
 * Finds the program to start, without a shell.
 * Windows cannot start a batch file (`npx` is `npx.cmd`) itself: it is given to `cmd.exe` with every argument quoted, so
 * that nothing in an argument is taken for a command.
 */
export function resolveCommand(
  command: string,
  args: readonly string[],
  environment: CommandEnvironment,
): ResolvedCommand {
  if (environment.platform !== 'win32') return { file: command, args, verbatim: false }
  const file = findOnWindows(command, environment) ?? command
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false }
  const line = [escapeCommand(win32.normalize(file)), ...args.map(escapeArgument)].join(' ')
  return {
    file: variable(environment, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    verbatim: true,
  }
}

function findOnWindows(command: string, environment: CommandEnvironment): string | undefined {
  const extensions = (variable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((part) => part !== '')
  const hasFolder = /[\\/]/.test(command)
  const folders = hasFolder ? [''] : (variable(environment, 'PATH') ?? '').split(';').filter((part) => part !== '')
  const named = win32.extname(command) === '' ? [] : ['']
  const candidates = folders.flatMap((folder) =>
    [...named, ...extensions].map((extension) => win32.join(folder, command + extension.toLowerCase())),
  )
  return candidates.find((candidate) => environment.exists(candidate))
}

function variable({ env }: CommandEnvironment, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name)
  return key === undefined ? undefined : env[key]
}

const metaCharacters = /([()\][%!^"`<>&|;, *?])/g

function escapeCommand(file: string): string {
  return file.replace(metaCharacters, '^$1')
}

/** Quotes for the C runtime, then for `cmd.exe`, twice: a batch file hands its arguments on through a second parse. */
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
  return quoted.replace(metaCharacters, '^$1').replace(metaCharacters, '^$1')
}
