/** A promise that a test opens by hand. */
export interface Gate {
  readonly passed: Promise<void>
  open(): void
}

/** A closed gate. */
export function gate(): Gate {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
