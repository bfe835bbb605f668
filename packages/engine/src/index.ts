/** Public names of @fe/engine. */
export type {
  FileIdentity,
  FileKind,
  FilesystemFacts,
  PermissionIdentity,
  ProcessIdentity,
} from "@fe/native";

export { openEngine } from "./engine.ts";
export type { Engine, Recovery } from "./engine-types.ts";
export type {
  CodeFacts,
  Effect,
  FailureStatus,
  FeErrorCode,
  FeErrorDetails,
  MissReport,
} from "./errors.ts";
export { errorCodes, FeError } from "./errors.ts";
export type { EditEvent, EventOutcome, RecoveryEvent } from "./events.ts";
export { eventChannels } from "./events.ts";
export type { Examination } from "./examine/examine.ts";
export type { ExclusionReport } from "./examine/exclusion.ts";
export type { IdentityReport } from "./examine/identify.ts";
export { examinationToJson, identityReportToJson } from "./examine/json.ts";
export type { Refusal } from "./examine/refusals.ts";
export type { StoreReport } from "./examine/store-report.ts";
export type { JsonObject } from "./json.ts";
export {
  editResultToJson,
  errorToJson,
  recordToJson,
  resolvedToJson,
  resolveResultToJson,
  undoResultToJson,
} from "./json.ts";
export type { DifferingLine, MatchPosition, NearestLine } from "./matching/match-error.ts";
export type { TextEdit } from "./matching/text-edit.ts";
export type { UnifiedDiff } from "./matching/unified-diff.ts";
export type {
  AuthorizeQuestion,
  CommitQuestion,
  EditOptions,
  EditRequest,
  EngineOptions,
  KeepContent,
  KeepVersion,
  PreviewOptions,
  RequestBase,
  ResolveBase,
  ResolveOptions,
  SeveralEditsRequest,
  SingleEditRequest,
  UndoOptions,
} from "./options.ts";
export type { EditProgress, OnProgress, ProgressStep } from "./progress.ts";
export type {
  ListedReport,
  NamedRecord,
  RecordBase,
  RecordReport,
  ResolvedReport,
  UnnamedRecord,
  UnreadableRecord,
  Version,
  VersionReport,
} from "./record-report.ts";
export { isTorn } from "./recovery/torn.ts";
export type {
  EditResult,
  LineEndings,
  RecoveredRecord,
  ResolveResult,
  ShownVersion,
  UndoResult,
} from "./result.ts";
