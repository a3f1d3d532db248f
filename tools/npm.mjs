// Settings of an outer npm (--silent, --workspace) must not reach an inner one; where to fetch from must.
const outerNpm = /^npm_(config_(?!cache|registry|userconfig|prefix|cafile)|lifecycle|package)/i

/** The npm that started this process, so that inner and outer agree; npm on the PATH otherwise: [command, ...arguments]. */
export function npmCommand() {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return [process.execPath, script]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

/** This process's environment without what an outer npm left in it. */
export function innerEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !outerNpm.test(name)))
}
