/** A target that runs one shell command in a folder of the workspace, with node_modules/.bin on its path. */
export function command(text, cwd = '.') {
  return { executor: 'nx:run-commands', options: { command: text, cwd } }
}
