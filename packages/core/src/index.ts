export type {
  AggregationConfig,
  AuthorizationConfig,
  BackendToolConfig,
  CircuitBreakerConfig,
  ConflictResolution,
  CoreConfig,
  HealthConfig,
  NamePolicy,
  TimeoutConfig,
  ToolOverride,
} from './core-config.js'
export type { SuspensionConfig } from '@vmcp/composer'
export { createVMCP } from './create-vmcp.js'
