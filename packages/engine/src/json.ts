/** The JSON object that CLI and MCP print: snake_case, 64-bit numbers as decimal strings. */
import { isUtf8 } from "node:buffer";
import { type FileIdentity, isUtf8Path, pathToBytes } from "@fe/native";
import type { FeError } from "./errors.ts";
import type { MatchPosition } from "./matching/match-error.ts";
import type { UnifiedDiff } from "./matching/unified-diff.ts";
import type { RecordReport, ResolvedReport, VersionReport } from "./record-report.ts";
import type { EditResult, RecoveredRecord, ResolveResult, UndoResult } from "./result.ts";

/** A JSON object that is printed. */
export type JsonObject = { readonly [key: string]: unknown };

/** The object without members that have no value. */
export function withoutUndefined(object: Record<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** `{ name: path }`, or `{ name_base64 }` for a path that is not UTF-8. */
export function pathMember(name: string, base64Name: string, path: string | undefined): JsonObject {
  if (path === undefined) return {};
  if (isUtf8Path(path)) return { [name]: path };
  return { [base64Name]: Buffer.from(pathToBytes(path)).toString("base64") };
}

function knownIdentityToJson(identity: FileIdentity | undefined): JsonObject | undefined {
  return identity && identityToJson(identity);
}

/** An identity as programs read it. */
export function identityToJson(identity: FileIdentity): JsonObject {
  return withoutUndefined({
    volume: identity.volume.toString(),
    file: identity.file.toString(),
    birth_time_ns: identity.birthTimeNs?.toString(),
    generation: identity.generation?.toString(),
  });
}

function matchToJson(match: MatchPosition): JsonObject {
  return { line: match.line, column: match.column, byte_offset: match.byteOffset };
}

function versionToJson(version: VersionReport | undefined): JsonObject | undefined {
  return version && { bytes: version.sizeBytes, sha256: version.sha256 };
}

/** As text if it is UTF-8; else the bytes would not survive that. */
function diffToJson(diff: UnifiedDiff | undefined): JsonObject {
  if (diff === undefined) return {};
  const bytes = Buffer.from(diff.bytes);
  return {
    ...(isUtf8(bytes) ? { diff: bytes.toString() } : { diff_base64: bytes.toString("base64") }),
    diff_truncated: diff.truncated || undefined,
    diff_transcoded_from: diff.transcodedFrom,
  };
}

function recoveredToJson(recovered: RecoveredRecord | undefined): JsonObject | undefined {
  return recovered && { record_id: recovered.recordId, decision: recovered.decision };
}

/** An edit's or a preview's answer. */
export function editResultToJson(result: EditResult): JsonObject {
  return withoutUndefined({
    status: result.status,
    ...pathMember("file_path", "path_base64", result.path),
    identity: identityToJson(result.identity),
    replacements: result.replacements,
    matches: result.matches.map(matchToJson),
    matches_truncated: result.matchesTruncated || undefined,
    before_sha256: result.beforeSha256,
    after_sha256: result.afterSha256,
    bytes_before: result.bytesBefore,
    bytes_after: result.bytesAfter,
    exclusion: result.exclusion,
    exclusion_reason: result.exclusionReason,
    durability: result.durability,
    line_endings: result.lineEndings,
    metadata_changes: result.metadataChanges,
    recovered: recoveredToJson(result.recovered),
    ...diffToJson(result.diff),
    dry_run: result.dryRun || undefined,
    warnings: result.warnings,
  });
}

/** A record, as it stands in lists and in errors. */
export function recordToJson(record: RecordReport): JsonObject {
  return withoutUndefined({
    id: record.id,
    ...pathMember("path", "path_base64", record.path),
    ...pathMember("record_path", "record_path_base64", record.recordPath),
    transaction_id: record.transactionId,
    phase: record.phase,
    owner: record.owner,
    why: record.why,
    identity: knownIdentityToJson(record.identity),
    created_ms: record.createdMs,
    before: versionToJson(record.before),
    after: versionToJson(record.after),
    holds: record.holds,
    choices: record.choices,
  });
}

/** What can be taken back, as it stands in a list. */
export function resolvedToJson(resolved: ResolvedReport): JsonObject {
  return withoutUndefined({
    id: resolved.id,
    ...pathMember("path", "path_base64", resolved.path),
    saved_ms: resolved.savedMs,
    ...pathMember("saved_path", "saved_path_base64", resolved.savedPath),
    saved_bytes: resolved.savedBytes,
    record: resolved.record && recordToJson(resolved.record),
  });
}

/** A resolution's answer. */
export function resolveResultToJson(result: ResolveResult): JsonObject {
  return withoutUndefined({
    status: result.status,
    ...pathMember("file_path", "path_base64", result.path),
    kept: result.kept,
    before_sha256: result.before?.sha256,
    after_sha256: result.after?.sha256,
    bytes_before: result.before?.sizeBytes,
    bytes_after: result.after?.sizeBytes,
    ...pathMember("saved_path", "saved_path_base64", result.savedPath),
    ...pathMember("record_moved_to", "record_moved_to_base64", result.movedRecordTo),
    record_stands: result.recordStands,
    record: recordToJson(result.record),
    warnings: result.warnings,
  });
}

/** An undo's answer: that of an edit, and where the bytes are that it replaced. */
export function undoResultToJson(result: UndoResult): JsonObject {
  return {
    ...editResultToJson(result),
    record_id: result.recordId,
    ...pathMember("saved_path", "saved_path_base64", result.savedPath),
  };
}

/**
 * A failure's answer: the same object, with `error`. Its hint tells names of the library; `sayHint`
 * puts it in other words.
 */
export function errorToJson(
  error: FeError,
  sayHint: (hint: string) => string = (hint) => hint,
): JsonObject {
  return withoutUndefined({
    status: error.status,
    ...pathMember("file_path", "path_base64", error.path),
    matches: error.miss?.positions.map(matchToJson),
    record: error.record && recordToJson(error.record),
    recovered: recoveredToJson(error.recovered),
    warnings: [],
    error: withoutUndefined({
      code: error.code,
      message: error.message,
      effect: error.effect,
      retryable: error.retryable,
      hint: error.hint === undefined ? undefined : sayHint(error.hint),
      edit_index: error.miss?.editIndex,
      count: error.miss?.count,
      reason: error.miss?.reason,
      nearest: error.miss?.nearest,
      differing: error.miss?.differing,
    }),
  });
}
