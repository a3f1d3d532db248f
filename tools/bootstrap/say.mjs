/** One line of progress, on stderr. */
export function say(message) {
  process.stderr.write(`[setup] ${message}\n`)
}
