export type { ContractNames, ContractSubject } from './contract/contract-subject.js'
export { decoratedSubject } from './contract/decorated-subject.js'
export { describeVmcpContract } from './contract/describe-vmcp-contract.js'
export { deepFreeze } from './deep-freeze.js'
export { fakeChannel } from './fake-channel.js'
export type { FakeChannel, FakeChannelScript } from './fake-channel.js'
export { jsonTestSuite } from './json/json-test-suite.js'
export type { JsonTestCase } from './json/json-test-suite.js'
export { prompt, resource, template, tool } from './offers.js'
export {
  answerStream,
  answerText,
  calledTool,
  discovery,
  done,
  greeting,
  startRawBackend,
  startSessionBackend,
  startSessionProgram,
  startStatelessBackend,
  statelessDone,
} from './raw/raw-backends.js'
export type { RawLines, RawScript } from './raw/raw-backends.js'
export { callStateless, openRawSession, sendRaw } from './raw/raw-client.js'
export type {
  RawAnswer,
  RawRequestOptions,
  RawSession,
  RawSessionOptions,
  RawStatelessOptions,
} from './raw/raw-client.js'
export { startRawProgram } from './raw/raw-program.js'
export type { RawLine, RawProcess, RawProgram } from './raw/raw-program.js'
export { startRawServer } from './raw/raw-server.js'
export type { RawRequest, RawServer } from './raw/raw-server.js'
export { recordingLogger } from './recording-logger.js'
export type { LogLine, RecordingLogger } from './recording-logger.js'
export { rejection } from './rejection.js'
export { scriptedBackend } from './scripted-backend.js'
export type { BackendCall, BackendScript, Offers, ScriptedBackend } from './scripted-backend.js'
export { untilAborted } from './until-aborted.js'
export { vmcpOver } from './vmcp-over.js'
export type { VmcpOverOptions } from './vmcp-over.js'
