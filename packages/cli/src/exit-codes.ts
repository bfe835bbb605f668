/**
 * Exit code of every outcome. Stable: a code keeps its number within a major version.
 *
 * 2, 3, 4, 5, 6 and 75 all say that this edit changed nothing; 7 says that a person is needed.
 */
import type { FeError, FeErrorCode } from "@fe/engine";

/** The edit was applied, or there was nothing to change, or it was a preview. */
export const exitSuccess = 0;

/** A fault of the command itself; see "Faults of fe itself" in docs/errors.md. */
export const exitInternal = 1;

export const exitUsage = 2;

/** The target cannot be edited, or not in the way that was asked for; or the store refuses. */
const exitTarget = 6;

/** EX_TEMPFAIL of sysexits.h: the same command may succeed later. */
const exitBusy = 75;

/** Every code of the engine. */
export const exitCodes: Readonly<Record<FeErrorCode, number>> = {
  FE_INVALID_REQUEST: exitUsage,
  FE_NO_MATCH: 3,
  FE_AMBIGUOUS_MATCH: 4,
  FE_COUNT_MISMATCH: 4,
  FE_NOT_FOUND: exitTarget,
  FE_OUTSIDE_ROOT: exitTarget,
  FE_LINK_REFUSED: exitTarget,
  FE_NOT_REGULAR: exitTarget,
  FE_PERMISSION_DENIED: exitTarget,
  FE_POLICY_DENIED: exitTarget,
  FE_FILE_TOO_LARGE: exitTarget,
  FE_INVALID_ENCODING: exitTarget,
  FE_UNSUPPORTED: exitTarget,
  FE_CONTENT_CHANGED: 5,
  FE_TARGET_REPLACED: 5,
  FE_PARENT_REPLACED: 5,
  FE_PERMISSION_CHANGED: 5,
  FE_BUSY: exitBusy,
  FE_EXCLUSION_UNAVAILABLE: exitBusy,
  FE_RECOVERY_REQUIRED: 7,
  FE_RECORD_UNSAFE: 7,
  FE_OUTCOME_UNKNOWN: 7,
  FE_IO: 1,
  FE_NO_SPACE: 1,
  FE_SYNC_FAILED: 1,
  FE_STORE_NOT_PRIVATE: 1,
  FE_NATIVE_UNAVAILABLE: 1,
  FE_CLOSED: 1,
  FE_ABORTED: 1,
};

/** A signal that asks a running edit to end. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * 128 and the signal's number, as a shell says it of a process that a signal killed. A terminal
 * that is closed tells it by SIGHUP, which ends a command like SIGTERM does.
 */
const signalExitCodes: Readonly<Record<EndingSignal, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 143,
};

/**
 * The exit code of a failure; `signal` is the one that came while the command ran. Whoever repeats
 * what ended with 75 must come to an end: what is not to be repeated gets another.
 */
export function exitCodeOf(
  { code, retryable }: Pick<FeError, "code" | "retryable">,
  signal?: EndingSignal,
): number {
  if (code === "FE_ABORTED" && signal !== undefined) return signalExitCodes[signal];
  if (exitCodes[code] === exitBusy && !retryable) return exitTarget;
  return exitCodes[code];
}
