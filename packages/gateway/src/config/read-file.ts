import { readFile } from 'node:fs/promises'
import { InvalidConfig, type ConfigProblem } from '@vmcp/domain'
import { LineCounter, parseAllDocuments, type Document } from 'yaml'
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
    return { file, line, column: col, path: '', message: error.message }
  })
  if (errors.length > 0) throw new InvalidConfig(errors)
  return {
    file,
    data: toData(document, file),
    problem: (path, message, at) => ({ file, ...locate(document, lines, path, at), path: formatPath(path), message }),
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const message = code === 'ENOENT' ? 'no such file' : `failed to read config file: ${code ?? 'unknown error'}`
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
