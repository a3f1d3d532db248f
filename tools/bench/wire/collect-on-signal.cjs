// Loaded into the gateway of the soak, with --expose-gc: collects all garbage when it is told to by SIGUSR2.
process.on('SIGUSR2', () => globalThis.gc())
