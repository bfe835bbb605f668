/** What a person or a model is told to do about a recovery record, in this order. */
import type { FeError, FeErrorCode, RecordReport } from "@fe/engine";
import { escapeText, quoteForShell } from "@fe/engine/display";

/** How records can be settled from here. */
export interface RecoveryGuide {
  /** Whether `recovery_resolve` may do it. */
  readonly allowResolve: boolean;
  /** Options that lead the `fe` command to the same store. */
  readonly storeOptions: readonly string[];
}

type GuidedCode = Extract<
  FeErrorCode,
  "FE_RECOVERY_REQUIRED" | "FE_OUTCOME_UNKNOWN" | "FE_RECORD_UNSAFE"
>;

const situations: Readonly<Record<GuidedCode, string>> = {
  FE_RECOVERY_REQUIRED:
    "This call changed nothing. The record of an earlier edit is kept until a person decides.",
  FE_OUTCOME_UNKNOWN:
    "The file may hold part of the new text. The record holds both versions and is kept.",
  FE_RECORD_UNSAFE:
    "This call changed nothing. The record of an earlier edit cannot be trusted, and is kept.",
};

type GuidedError = FeError & { readonly code: GuidedCode; readonly record: RecordReport };

/** Whether `error` is one that a person must settle by hand, and names the record. */
export function needsGuidance(error: FeError): error is GuidedError {
  return Object.hasOwn(situations, error.code) && error.record !== undefined;
}

/** A command of the `fe` tool that keeps to the store of this server. */
export function recoveryCommand(guide: RecoveryGuide, ...words: readonly string[]): string {
  return ["fe", "recovery", ...[...words, ...guide.storeOptions].map(quoteForShell)].join(" ");
}

/** Whether tools see it: with roots, only records that name a file below one. */
function isShown(record: RecordReport): boolean {
  return record.phase !== "unreadable" && record.path !== undefined;
}

function decideStep(record: RecordReport, guide: RecoveryGuide): string[] {
  const { id } = record;
  const isOurs = guide.allowResolve && isShown(record);
  const command = recoveryCommand(guide, "resolve", id, "--keep", "VERSION");
  return [
    "3. Restore the version that is meant, or merge the versions. A person decides which.",
    ...(isOurs
      ? [
          `   Then recovery_resolve with id ${id}, that version as keep (or the`,
          "   merge, whole, as content), and the sha256 of the current version as expected_sha256.",
          "   recovery_undo takes that back.",
        ]
      : [
          "   For before, after or current they run:",
          `     ${command}`,
          "   For a merge, which the first command proposes:",
          `     ${recoveryCommand(guide, "merge", id)} > MERGED`,
          `     ${recoveryCommand(guide, "resolve", id, "--with", "MERGED")}`,
          isShown(record)
            ? "   This server was started without --allow-resolve."
            : "   The tools of this server do not reach this record.",
        ]),
  ];
}

/** What is different for a file of which a sync failed. */
const doubtfulLines: readonly string[] = [
  "A sync of the file failed: what it shows may not be on its disk, so reading it proves nothing.",
  "A person should look at the disk first. Every choice of step 3 writes the whole file anew and",
  "syncs it. If that fails too, the versions of steps 1 and 2 must be kept on another disk.",
];

/** The lines that follow the error's own line. */
export function guidanceLines(error: GuidedError, guide: RecoveryGuide): string[] {
  const { record } = error;
  const { id } = record;
  // Of a record that cannot be read, the error may be about its own file.
  const named = error.path === record.recordPath ? undefined : error.path;
  const target = record.path ?? named;
  const showBefore = recoveryCommand(guide, "show", id, "--version", "before");
  return [
    situations[error.code],
    ...(target === undefined ? [] : [`File: ${escapeText(target)}`]),
    `Record: ${escapeText(record.recordPath)}`,
    `Why: ${escapeText(record.why)}`,
    ...(record.phase === "doubtful" ? doubtfulLines : []),
    "What to do, in this order:",
    isShown(record)
      ? `1. Save the file as it is now: recovery_show with id ${id} and version current.`
      : "1. Save a copy of the file as it is now.",
    isShown(record)
      ? "2. Look at the record's path, its identity (recovery_list) and both versions " +
        "(recovery_show, version before and version after)."
      : "2. Look at the record's path, its identity and both versions, as far as they can be " +
        `read: ${recoveryCommand(guide, "list")}, ${showBefore}`,
    ...decideStep(record, guide),
  ];
}
