import type { VmcpAdmin } from '@vmcp/domain'
import type { PageAnswer } from './health.js'

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** `/status`: every backend and how well it does. `healthy` means that at least one is. */
export function status(admin: VmcpAdmin, version: string): PageAnswer {
  const backends = admin.listAllBackends().map(({ protocolVersion, authentication, ...backend }) => ({
    ...backend,
    auth_type: authentication ?? 'unauthenticated',
    ...(protocolVersion !== undefined && { mcp_revision: protocolVersion }),
  }))
  const healthy = backends.some((backend) => backend.health === 'healthy')
  return { status: 200, body: { healthy, version, backends }, headers }
}
