/** Every limit and default of workflows, in one place. Times are milliseconds, sizes are bytes of UTF-8 JSON. */
export const limits = {
  workflowTimeoutMs: 30 * 60_000,
  stepTimeoutMs: 5 * 60_000,
  stepsPerWorkflow: 100,
  /** Levels of lists and maps in the whole definition. */
  workflowDepth: 200,
  parallelSteps: 10,
  retriesPerStep: 10,
  retryDelayMs: 1000,
  retryGrowth: 1.5,
  retryElapsedMs: 15 * 60_000,
  forEachIterations: 100,
  forEachIterationsMax: 1000,
  forEachParallel: 10,
  forEachParallelMax: 50,
  outputDepth: 10,
  elicitationTimeoutMs: 5 * 60_000,
  elicitationTimeoutMaxMs: 10 * 60_000,
  elicitationSchemaBytes: 102_400,
  elicitationContentBytes: 1_048_576,
  elicitationDepth: 10,
  /** Ended runs whose status is kept. */
  keptRuns: 1000,
  keptRunMs: 60 * 60_000,
} as const
