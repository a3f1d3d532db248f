import { readFile } from 'node:fs/promises'
import { InvalidConfig, type ConfigProblem } from '@vmcp/domain'
import { LineCounter, parseAllDocuments, type Document, type YAMLParseError } from 'yaml'
import { formatPath, locate, type Path } from './locate.js'

/** A configuration file that was read: its data, and the way to name a place in it. */
export interface ReadFile {
  readonly file: string
  readonly data: unknown
  /** A problem at a path, with file, line and column. */
  problem(path: Path, message: string, at?: 'key' | 'value'): ConfigProblem
}

/**
 * Reads a YAML (or JSON) file; of several documents, the first.
 * Rejects with `InvalidConfig` when it cannot be read or parsed.
 */
export async function readConfigFile(file: string): Promise<ReadFile> {
  return parseConfigText(file, await readText(file))
}

/** Parses the text of a configuration file. Throws `InvalidConfig` with every syntax error. */
export function parseConfigText(file: string, source: string): ReadFile {
  const lines = new LineCounter()
  const [document] = parseAllDocuments(source, { lineCounter: lines, prettyErrors: false }) as Document.Parsed[]
  if (document === undefined)
    throw new InvalidConfig([{ file, line: 1, column: 1, path: '', message: 'the file is empty' }])
  const errors = document.errors.map((error): ConfigProblem => {
    const { line, col } = lines.linePos(error.pos[0])
    return { file, line, column: col, path: '', message: syntaxMessage(error) }
  })
  if (errors.length > 0) throw new InvalidConfig(errors)
  return {
    file,
    data: toData(document, file),
    problem: (path, message, at) => ({ file, ...locate(document, lines, path, at), path: formatPath(path), message }),
  }
}

function syntaxMessage({ code, message }: YAMLParseError): string {
  return code === 'RESOURCE_EXHAUSTION' ? 'this is nested too deeply' : message
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'you may not read this file',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'expected text in UTF-8',
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    const message = unreadable[code] ?? `failed to read config file: ${code}`
    throw new InvalidConfig([{ file, path: '', message }], { cause: error })
  }
}

function toData(document: Document, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new InvalidConfig([{ file, path: '', message: 'an alias points to nothing, or there are too many' }], {
      cause: error,
    })
  }
}
