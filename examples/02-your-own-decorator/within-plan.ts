import { restrict, type Decorator } from '@vmcp/domain'

const backendsOfPlan: Readonly<Record<string, readonly string[]>> = {
  free: ['desk'],
  team: ['desk', 'reports'],
}

/** Restricts: shows the tools of the backends that the plan of the caller's tenant includes, and lets no other be called. */
export const withinPlan: Decorator = (inner) =>
  restrict(inner, {
    tool: (identity, { backendId = '' }) => {
      const plan = identity?.claims['tenant_plan']
      return typeof plan === 'string' && (backendsOfPlan[plan] ?? []).includes(backendId)
    },
  })
