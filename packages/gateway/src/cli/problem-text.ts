import type { ConfigProblem } from '@vmcp/domain'

/** A problem of a configuration as `file:line:column: path: message`, without what is not known. */
export function problemText({ file, line, column, path, message }: ConfigProblem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return [place, path, message].filter((part) => part !== '').join(': ')
}
