import { describe, expect, it } from 'vitest'
import { resolveCommand } from './resolve-command.js'

const windows = (files: readonly string[]) => ({
  platform: 'win32' as const,
  env: { Path: 'C:\\bin;C:\\Program Files\\nodejs', PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' },
  exists: (path: string) => files.includes(path),
})

describe('resolveCommand', () => {
  it('leaves everything as it is where a program can be started directly', () => {
    const environment = { platform: 'linux' as const, env: {}, exists: () => false }
    const args = ['a b', '"c"', '$HOME', '&']
    expect(resolveCommand('npx', args, environment)).toEqual({ file: 'npx', args, verbatim: false })
  })

  it('case 37 finds npx.cmd on Windows and quotes it for cmd.exe', () => {
    const resolved = resolveCommand('npx', ['-y', 'server'], windows(['C:\\Program Files\\nodejs\\npx.cmd']))
    expect(resolved).toEqual({
      file: 'C:\\Windows\\cmd.exe',
      args: ['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\npx.cmd ^^^"-y^^^" ^^^"server^^^""'],
      verbatim: true,
    })
  })

  it('case 37 lets nothing in an argument become a command', () => {
    const { args } = resolveCommand('run', ['a & del *', '%PATH%', 'say "hi"'], windows(['C:\\bin\\run.bat']))
    const line = String(args[3]).slice(1, -1)
    expect(line.replace(/\^\^\^./g, '')).not.toMatch(/[&%"*]/)
  })

  it('starts a real program on Windows directly', () => {
    expect(resolveCommand('node', ['x & y'], windows(['C:\\bin\\node.exe']))).toEqual({
      file: 'C:\\bin\\node.exe',
      args: ['x & y'],
      verbatim: false,
    })
  })

  it('takes a path with its extension as it is', () => {
    const file = 'C:\\Program Files\\x\\run.cmd'
    expect(resolveCommand(file, [], windows([file])).args[3]).toBe('"C:\\Program^ Files\\x\\run.cmd"')
  })

  it('leaves an unknown command to the operating system, which names it', () => {
    expect(resolveCommand('nope', [], windows([])).file).toBe('nope')
  })
})
