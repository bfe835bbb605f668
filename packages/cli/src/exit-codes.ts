/**
 * Exit code of every outcome. Stable: a code keeps its number within a major version.
 *
 * 2, 3, 4, 5, 6 and 75 all say that this edit changed nothing; 7 says that a person is needed.
 */
import type { FeErrorCode } from "@fe/engine";

/** The edit was applied, or there was nothing to change, or it was a preview. */
export const exitSuccess = 0;

/** A fault of the command itself; see "Faults of fe itself" in docs/errors.md. */
export const exitInternal = 1;

export const exitUsage = 2;

/** Every code of the engine. */
export const exitCodes: Readonly<Record<FeErrorCode, number>> = {
  FE_INVALID_REQUEST: exitUsage,
  FE_NO_MATCH: 3,
  FE_AMBIGUOUS_MATCH: 4,
  FE_COUNT_MISMATCH: 4,
  FE_NOT_FOUND: 6,
  FE_OUTSIDE_ROOT: 6,
  FE_LINK_REFUSED: 6,
  FE_NOT_REGULAR: 6,
  FE_PERMISSION_DENIED: 6,
  FE_POLICY_DENIED: 6,
  FE_FILE_TOO_LARGE: 6,
  FE_INVALID_ENCODING: 6,
  FE_UNSUPPORTED: 6,
  FE_CONTENT_CHANGED: 5,
  FE_TARGET_REPLACED: 5,
  FE_PARENT_REPLACED: 5,
  FE_PERMISSION_CHANGED: 5,
  // EX_TEMPFAIL of sysexits.h: the same command may succeed later.
  FE_BUSY: 75,
  FE_EXCLUSION_UNAVAILABLE: 75,
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
export type EndingSignal = "SIGINT" | "SIGTERM";

/** 128 and the signal's number, as a shell says it of a process that a signal killed. */
const signalExitCodes: Readonly<Record<EndingSignal, number>> = { SIGINT: 130, SIGTERM: 143 };

/** The exit code of a failure; `signal` is the one that came while the command ran. */
export function exitCodeOf(code: FeErrorCode, signal?: EndingSignal): number {
  if (code === "FE_ABORTED" && signal !== undefined) return signalExitCodes[signal];
  return exitCodes[code];
}
