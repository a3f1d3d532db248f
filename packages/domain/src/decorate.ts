import type { VMCP } from './vmcp.js'

/** Wraps a `VMCP` in another that reaches no more than the inner one does. */
export type Decorator = (inner: VMCP) => VMCP

/** Wraps `vmcp` in each decorator in turn: the first is innermost, the last meets a call first. */
export function decorate(vmcp: VMCP, decorators: readonly Decorator[]): VMCP {
  return decorators.reduce((inner, decorator) => decorator(inner), vmcp)
}
