export type { Authentication, IncomingAuth, IncomingRequest } from './auth/incoming-auth.js'
export type { OutgoingAuth } from './auth/outgoing-auth.js'
export type { Backend } from './backend/backend.js'
export type {
  BackendCallOptions,
  BackendCapabilities,
  BackendClient,
  BackendDescription,
  BackendEvent,
  Page,
  PageRequest,
} from './backend/backend-client.js'
export type { CallOptions } from './call-options.js'
export { CancellableOptions, Cancellation, isCancelled, offCancel, onCancel } from './cancellation.js'
export type { Cancellable, CancelListener, UncancellableOptions } from './cancellation.js'
export type { ContentAnnotations, Icon } from './capability/annotations.js'
export type { CompleteRequest, CompleteResult, CompletionReference } from './capability/completion.js'
export { isEmbeddedResource, isMedia, isResourceLink, isText, text } from './capability/content.js'
export type { ContentBlock, EmbeddedResource, MediaContent, ResourceLink, TextContent } from './capability/content.js'
export { isInputRequired } from './capability/input-required.js'
export type { InputRequest, InputRequired, InputResponses } from './capability/input-required.js'
export type { CapabilityKind } from './capability/kind.js'
export type { GetPromptRequest, GetPromptResult, Prompt, PromptArgument, PromptMessage } from './capability/prompt.js'
export type {
  ReadResourceRequest,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from './capability/resource.js'
export type { CallToolRequest, CallToolResult, Tool, ToolAnnotations } from './capability/tool.js'
export type { CallNotification, ClientCapabilities, ClientChannel } from './client/client-channel.js'
export { decorate } from './decorate.js'
export type { Decorator } from './decorate.js'
export { delegate } from './delegate.js'
export type { ElicitationRequest, ElicitationRequester, ElicitationResult } from './elicitation.js'
export {
  BackendAuthenticationFailed,
  BackendRejected,
  BackendTimeout,
  BackendUnavailable,
} from './errors/backend-errors.js'
export type { UnavailableReason } from './errors/backend-errors.js'
export {
  AuthorizationDenied,
  Cancelled,
  ClientCapabilityMissing,
  InvalidInput,
  InvalidRequestState,
  NotFound,
  RateLimited,
} from './errors/capability-errors.js'
export type { DeniedKind, NotFoundKind } from './errors/capability-errors.js'
export { CapabilityConflict, InvalidConfig, ToolNameConflict } from './errors/config-errors.js'
export type { ConfigProblem, UnresolvedConflict } from './errors/config-errors.js'
export { InternalError } from './errors/internal-error.js'
export { isVmcpError } from './errors/vmcp-error.js'
export type { VmcpError, VmcpErrorTag } from './errors/vmcp-error.js'
export {
  ContentTooLarge,
  ElicitationCancelled,
  ElicitationDeclined,
  ElicitationNotConfigured,
  ElicitationTimeout,
  SchemaTooDeep,
  SchemaTooLarge,
  WorkflowFailed,
} from './errors/workflow-errors.js'
export type { WorkflowFailureReason } from './errors/workflow-errors.js'
export { Identity } from './identity.js'
export type { IdentityFields } from './identity.js'
export { isJsonObject } from './json.js'
export type { JsonObject, JsonSchema, Meta } from './json.js'
export { silentLogger } from './logger.js'
export type { LogFields, Logger } from './logger.js'
export { isReservedMetaKey, relayableMeta } from './meta.js'
export { restrict } from './restrict.js'
export type { Restriction } from './restrict.js'
export { Secret } from './secret.js'
export type {
  BackendHealth,
  BackendStatus,
  Explanation,
  ExplanationStep,
  Finding,
  FindingReason,
  ViewReport,
  VmcpAdmin,
} from './vmcp-admin.js'
export type { SubscribeOptions, VmcpEvent, VmcpEvents } from './vmcp-events.js'
export type { VMCP } from './vmcp.js'
export type {
  ElicitationStep,
  ForEachStep,
  InnerStep,
  OnError,
  OnRefusal,
  StepCommon,
  ToolStep,
  WorkflowStep,
} from './workflow/step.js'
export type { WorkflowEvent, WorkflowObserver } from './workflow/workflow-observer.js'
export type { OutputProperty, Workflow, WorkflowOutput } from './workflow/workflow.js'
