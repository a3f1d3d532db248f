import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'

/**
 * The environment of a backend process: what every program needs to run, and the declared values, which win.
 * Everything else of ours, secrets above all, stays here.
 */
export function safeEnvironment(declared: Readonly<Record<string, string>> = {}): Record<string, string> {
  const temporary = Object.fromEntries(
    ['TMPDIR', 'LANG', 'LC_ALL', 'TZ'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return { ...getDefaultEnvironment(), ...temporary, ...declared }
}
