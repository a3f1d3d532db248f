import type { Backend } from '@vmcp/domain'
import * as Context from 'effect/Context'
import * as Layer from 'effect/Layer'

/** What the backends room answers. */
export interface BackendsShape {
  /** Every backend, by id in code-unit order. */
  readonly all: readonly Backend[]
  readonly get: (id: string) => Backend | undefined
}

/** The MCP servers behind the gateway. Their ids are unique: the configuration is checked before. */
export class Backends extends Context.Service<Backends, BackendsShape>()('@vmcp/core/Backends') {
  static layer(backends: readonly Backend[]): Layer.Layer<Backends> {
    const byId = new Map(backends.map((backend) => [backend.id, backend]))
    const all = [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
    return Layer.succeed(Backends, { all, get: (id) => byId.get(id) })
  }
}
