import { dirname, resolve } from 'node:path'
import type { BackendTarget } from '@vmcp/sdk-adapter'
import { defined } from './defined.js'
import type { BackendSection } from './sections/backends.js'

/** Where a backend of a file is. A relative `cwd` counts from the file's folder. */
export function toTarget(backend: BackendSection, file: string): BackendTarget {
  if (!('command' in backend)) {
    const transport = backend.transport === 'sse' ? 'sse' : 'streamable-http'
    return { transport, url: backend.url }
  }
  const folder = dirname(resolve(file))
  return defined({
    transport: 'stdio',
    command: backend.command,
    args: backend.args,
    env: backend.env,
    cwd: resolve(folder, backend.cwd ?? '.'),
  })
}
