/** The errors that stop an edit because of an earlier one. Each names the record and what to do. */
import type { RecordMetadata, RecordPhase } from "@fe/journal";
import { judgeByLocks } from "@fe/reconcile";
import { FeError } from "../errors.ts";
import { type RecordReport, shortId } from "../record-report.ts";
import { reportOf } from "./catalogue.ts";

/** S18: what a person does, in this order; the command adds the exact lines. */
function stepsFor({ id, phase }: RecordReport): string {
  const first =
    phase === "doubtful"
      ? "look at the disk and at the system's log first: every choice writes the whole file anew; "
      : "";
  return (
    `${first}1. save the current file elsewhere; ` +
    `2. look at the path, the identity and both versions of record ${shortId(id)}; ` +
    "3. restore or merge the version you mean, and resolve the record " +
    "(`recovery.show`, `recovery.resolve`)"
  );
}

/**
 * A record stands and a person must decide; `code` says whether it could be read, and `action` what
 * cannot be done before.
 */
export function recoveryRequired(
  code: "FE_RECOVERY_REQUIRED" | "FE_RECORD_UNSAFE",
  path: string,
  record: RecordReport,
  action = "edit",
): FeError {
  return new FeError(
    code,
    `Cannot ${action} "${path}": recovery record ${shortId(record.id)} of an earlier edit ` +
      "needs a decision: " +
      record.why +
      (record.owner === undefined ? "" : `; ${record.owner.why}`),
    { path, record, hint: stepsFor(record) },
  );
}

/** No undo settles a record: it would bring back bytes from before the edit that made it. */
export function standsInTheWay(path: string, record: RecordReport): FeError {
  const code = record.phase === "unreadable" ? "FE_RECORD_UNSAFE" : "FE_RECOVERY_REQUIRED";
  const why = `only a resolution can be taken back, and this record still stands (${record.why})`;
  return recoveryRequired(code, path, { ...record, why }, "undo the resolution of");
}

/**
 * This edit or resolution began to write and could not prove its end; its record is kept.
 * `savedPath`: where it saved what the file held.
 */
export function outcomeUnknown(
  path: string,
  record: RecordReport,
  cause: unknown,
  savedPath?: string,
): FeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isFull = cause instanceof FeError && cause.code === "FE_NO_SPACE";
  return new FeError(
    "FE_OUTCOME_UNKNOWN",
    `Began to write "${path}" and could not prove the end, part of the new bytes may be there; ` +
      `record ${shortId(record.id)} holds both versions: ${reason}` +
      (isFull ? "; free space first" : "") +
      (savedPath === undefined ? "" : `; what it held before is saved at "${savedPath}"`),
    { path, record, effect: "unknown", hint: stepsFor(record), cause },
  );
}

/** A person decided about other bytes than stand there now. */
export function otherThanShown(
  path: string,
  why: string,
  hint = 'Look at version "current" again (`recovery.show`), and decide again',
): FeError {
  const message = `Cannot resolve the record of "${path}": ${why}`;
  return new FeError("FE_CONTENT_CHANGED", message, { path, hint });
}

/** The end of a hint that counts only as long as no wait was allowed. */
export const orWait = ", or allow to wait (`waitMs`)";

/** Where a wait, if one was allowed, is over by then: nothing waits for this. */
export const afterAnyWait = { hint: "Try again" };

/** Another transaction is, or may be, at work on this file. */
export function busy(
  path: string,
  why: string,
  details: { readonly record?: RecordReport; readonly hint?: string } = {},
): FeError {
  const isUntold = details.record?.owner?.state === "unknown";
  return new FeError("FE_BUSY", `Cannot edit "${path}" now: ${why}`, {
    path,
    hint: isUntold ? untoldOwner : `Try again${orWait}`,
    ...details,
  });
}

/** Nobody here sees the end of such an owner, so to wait may be in vain. */
const untoldOwner =
  "If you know that the program which began it runs no more, look at the record and resolve it " +
  "(`recovery.show`, `recovery.resolve`); if it may run, try again later";

/** The same for a resolution, which never waits. */
export function busyRecord(path: string, why: string, record: RecordReport): FeError {
  return new FeError("FE_BUSY", `Cannot resolve the record of "${path}" now: ${why}`, {
    path,
    hint: "Try again when that edit has ended",
    record,
  });
}

/** The report of a record whose lock another process holds: its owner is alive. */
export function reportLocked(found: {
  readonly id: string;
  readonly path: string;
  readonly metadata: RecordMetadata | undefined;
  readonly phase: RecordPhase | undefined;
}): RecordReport {
  const { id, path, metadata, phase } = found;
  const owner = judgeByLocks(false);
  if (metadata === undefined || phase === undefined) {
    return { id, recordPath: path, phase: phase ?? "unreadable", why: owner.why };
  }
  return reportOf({ id, path, metadata, phase }, owner, owner.why);
}
