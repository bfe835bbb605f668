/**
 * The one error of the public API, and what each code means for the file.
 *
 * I10  The code alone says whether the file may have changed: only `FE_OUTCOME_UNKNOWN` may have.
 *
 * `docs/errors.md` has a section for each code.
 */
// scripts/check-errors.mjs compares.
import type { DifferingLine, MatchPosition, NearestLine } from "./matching/match-error.ts";
import type { RecordReport } from "./record-report.ts";
import type { RecoveredRecord } from "./result.ts";

/** What is true of the target after a failure. */
export type Effect =
  /** Untouched: same bytes, same modification time, no record, no temporary file. */
  | "none"
  /** Touched, put back, synced and verified; only while the kernel kept everybody else out. */
  | "rolled_back"
  /** Part of the new bytes may be there; a record holds both versions and a person decides. */
  | "unknown";

/** The class of an outcome; `applied` and `unchanged` are values, the others are errors. */
export type FailureStatus = "rejected" | "conflict" | "recovery_required" | "failed";

/** Stable: a code is never renamed, and never changes its meaning within a major version. */
export type FeErrorCode =
  | "FE_INVALID_REQUEST"
  | "FE_NO_MATCH"
  | "FE_AMBIGUOUS_MATCH"
  | "FE_COUNT_MISMATCH"
  | "FE_NOT_FOUND"
  | "FE_OUTSIDE_ROOT"
  | "FE_LINK_REFUSED"
  | "FE_NOT_REGULAR"
  | "FE_PERMISSION_DENIED"
  | "FE_POLICY_DENIED"
  | "FE_FILE_TOO_LARGE"
  | "FE_INVALID_ENCODING"
  | "FE_UNSUPPORTED"
  | "FE_CONTENT_CHANGED"
  | "FE_TARGET_REPLACED"
  | "FE_PARENT_REPLACED"
  | "FE_PERMISSION_CHANGED"
  | "FE_BUSY"
  | "FE_EXCLUSION_UNAVAILABLE"
  | "FE_RECOVERY_REQUIRED"
  | "FE_RECORD_UNSAFE"
  | "FE_OUTCOME_UNKNOWN"
  | "FE_IO"
  | "FE_NO_SPACE"
  | "FE_SYNC_FAILED"
  | "FE_STORE_NOT_PRIVATE"
  | "FE_NATIVE_UNAVAILABLE"
  | "FE_CLOSED"
  | "FE_ABORTED";

/** What a code says by itself. */
export interface CodeFacts {
  readonly status: FailureStatus;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
}

const rejected: CodeFacts = { status: "rejected", retryable: false };
const failed: CodeFacts = { status: "failed", retryable: false };
const conflict: CodeFacts = { status: "conflict", retryable: true };
const recoveryRequired: CodeFacts = { status: "recovery_required", retryable: false };

/** Every code, with its status and whether to try again. */
export const errorCodes: Readonly<Record<FeErrorCode, CodeFacts>> = {
  FE_INVALID_REQUEST: rejected,
  FE_NO_MATCH: rejected,
  FE_AMBIGUOUS_MATCH: rejected,
  FE_COUNT_MISMATCH: rejected,
  FE_NOT_FOUND: rejected,
  FE_OUTSIDE_ROOT: rejected,
  FE_LINK_REFUSED: rejected,
  FE_NOT_REGULAR: rejected,
  FE_PERMISSION_DENIED: rejected,
  FE_POLICY_DENIED: rejected,
  FE_FILE_TOO_LARGE: rejected,
  FE_INVALID_ENCODING: rejected,
  FE_UNSUPPORTED: rejected,
  FE_CONTENT_CHANGED: { status: "conflict", retryable: false },
  FE_TARGET_REPLACED: conflict,
  FE_PARENT_REPLACED: conflict,
  FE_PERMISSION_CHANGED: conflict,
  FE_BUSY: conflict,
  // Of a file that is open elsewhere. Where no wait helps, an error says so itself (`isLasting`).
  FE_EXCLUSION_UNAVAILABLE: conflict,
  FE_RECOVERY_REQUIRED: recoveryRequired,
  FE_RECORD_UNSAFE: recoveryRequired,
  FE_OUTCOME_UNKNOWN: recoveryRequired,
  FE_IO: failed,
  FE_NO_SPACE: failed,
  FE_SYNC_FAILED: failed,
  FE_STORE_NOT_PRIVATE: failed,
  FE_NATIVE_UNAVAILABLE: failed,
  FE_CLOSED: failed,
  FE_ABORTED: { status: "failed", retryable: true },
};

/** Why the text was not found, or too often. */
export interface MissReport {
  /** Index in `edits` of the one that failed; 0 for a single edit. */
  readonly editIndex: number;
  /** How often the text occurs; where counting ended early, so often at least. */
  readonly count: number;
  /** Where it occurs, the first 20. */
  readonly positions: readonly MatchPosition[];
  /** What stands between the text asked for and the nearest one, if it could be told. */
  readonly reason?: string;
  /** Lines that come nearest; of a text that is there too often, the first in which it is. */
  readonly nearest?: readonly NearestLine[];
  /** Lines in which the text differs from those that `reason` names, the first 3. */
  readonly differing?: readonly DifferingLine[];
}

/** What an `FeError` can carry beside its code. */
export interface FeErrorDetails {
  /** For `FE_EXCLUSION_UNAVAILABLE`: no wait helps, so it is a rejection and not to be repeated. */
  readonly isLasting?: boolean;
  readonly effect?: Effect;
  readonly path?: string;
  readonly operation?: string;
  readonly hint?: string;
  readonly record?: RecordReport;
  readonly miss?: MissReport;
  readonly recovered?: RecoveredRecord;
  readonly cause?: unknown;
}

/**
 * What every failure of the public API is. `code` and `effect` are for programs; `message` and
 * `hint` for people; `cause` is the system's own error where there was one.
 */
export class FeError extends Error {
  override readonly name = "FeError";
  readonly code: FeErrorCode;
  /** What is true of the target now. */
  readonly effect: Effect;
  readonly status: FailureStatus;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The target, as the caller named it. */
  readonly path: string | undefined;
  /** The step or system call that failed. */
  readonly operation: string | undefined;
  /** What to do about it; names of the library stand in backticks. */
  readonly hint: string | undefined;
  /** The recovery record that the message is about. */
  readonly record: RecordReport | undefined;
  /** For `FE_NO_MATCH`, `FE_AMBIGUOUS_MATCH` and `FE_COUNT_MISMATCH`. */
  readonly miss: MissReport | undefined;
  /** A record of an earlier edit that this one settled before it failed: that record is gone. */
  recovered: RecoveredRecord | undefined;
  /** Errors met while letting go of things after this one; the shape of `SuppressedError`. */
  readonly suppressed: unknown[] = [];

  constructor(code: FeErrorCode, message: string, details: FeErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.effect = details.effect ?? "none";
    const { status, retryable } = details.isLasting === true ? rejected : errorCodes[code];
    this.status = status;
    this.retryable = retryable;
    this.path = details.path;
    this.operation = details.operation;
    this.hint = details.hint;
    this.record = details.record;
    this.miss = details.miss;
    this.recovered = details.recovered;
  }

  /**
   * For `JSON.stringify`, as loggers call it: the members under their own names, 64-bit numbers as
   * decimal strings. `errorToJson` gives what the command prints.
   */
  toJSON(): { readonly [name: string]: unknown } {
    const { name, message, code, status, effect, retryable, path, operation, hint } = this;
    const { record, miss, recovered } = this;
    const told = { name, message, code, status, effect, retryable, path, operation, hint };
    const all = JSON.stringify({ ...told, record, miss, recovered }, (_, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    );
    return JSON.parse(all) as { readonly [name: string]: unknown };
  }
}

// A program that loads the package both as ES module and by `require` has this class twice.
const brand = Symbol.for("@fe/engine.FeError");
Object.defineProperty(FeError.prototype, brand, { value: true });
Object.defineProperty(FeError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    // A class that extends this one has instances of its own.
    if (this !== FeError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && brand in value;
  },
});

/** The same error about another report of its record. */
export function withRecord(
  error: FeError,
  record: RecordReport,
  hint: string | undefined = error.hint,
): FeError {
  const { code, message, effect, path, operation, miss, recovered, cause, suppressed } = error;
  const known = { path, operation, hint, miss, recovered };
  const members = Object.entries(known).filter(([, value]) => value !== undefined);
  const made = new FeError(code, message, {
    ...(Object.fromEntries(members) as FeErrorDetails),
    effect,
    record,
    cause,
  });
  made.suppressed.push(...suppressed);
  return made;
}
