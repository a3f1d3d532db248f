import { Cancelled } from '@vmcp/domain'
import { expect } from 'vitest'

import { itWith } from './with-subject.js'
import type { MakeSubject } from './with-subject.js'

/** A signal stops a verb down to the backend, and so does `close`, which may come twice. */
export function cancellation(make: MakeSubject): void {
  itWith(make, 'cancels down to the backend', async ({ vmcp, identity, hanging, toolArguments = {} }) => {
    const controller = new AbortController()
    const call = vmcp.callTool(
      identity,
      { name: hanging.tool, arguments: toolArguments },
      { signal: controller.signal },
    )
    const outcome = expect(call).rejects.toBeInstanceOf(Cancelled)
    await hanging.started
    controller.abort()
    await outcome
    await hanging.aborted
  })

  itWith(make, 'does nothing for a signal that has aborted', async (subject) => {
    const { vmcp, identity, allowed, toolArguments = {} } = subject
    const options = { signal: AbortSignal.abort() }
    await expect(vmcp.listTools(identity, options)).rejects.toBeInstanceOf(Cancelled)
    const call = vmcp.callTool(identity, { name: allowed.tool, arguments: toolArguments }, options)
    await expect(call).rejects.toBeInstanceOf(Cancelled)
    expect(subject.reached()).toBe(0)
  })

  itWith(make, 'closes twice', async ({ vmcp }) => {
    await Promise.all([vmcp.close(), vmcp.close()])
    await vmcp.close()
  })

  itWith(make, 'refuses verbs once it is closed', async ({ vmcp, identity, allowed, toolArguments = {} }) => {
    await vmcp.close()
    await expect(vmcp.listTools(identity)).rejects.toBeInstanceOf(Cancelled)
    const call = vmcp.callTool(identity, { name: allowed.tool, arguments: toolArguments })
    await expect(call).rejects.toBeInstanceOf(Cancelled)
  })
}
