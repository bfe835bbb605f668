/** What a miss means to the caller: the text was never there, or it was and somebody changed it. */
import { FeError, type FeErrorCode, type MissReport } from "../errors.ts";
import type { MatchError } from "../matching/match-error.ts";
import type { SettledOptions } from "../options.ts";
import { refuseTooLarge } from "./identify.ts";

/** The file is not what the caller, or this edit's first reading, saw. */
export function contentChanged(path: string, what: string, miss?: MissReport): FeError {
  return new FeError("FE_CONTENT_CHANGED", `Cannot edit "${path}": its content changed: ${what}`, {
    path,
    hint: "Read the file again and repeat the edit",
    ...(miss === undefined ? {} : { miss }),
  });
}

const codes: Readonly<Record<MatchError["kind"], FeErrorCode>> = {
  "no-match": "FE_NO_MATCH",
  ambiguous: "FE_AMBIGUOUS_MATCH",
  "count-mismatch": "FE_COUNT_MISMATCH",
  "invalid-encoding": "FE_INVALID_ENCODING",
  "after-too-large": "FE_FILE_TOO_LARGE",
  "too-many-places": "FE_UNSUPPORTED",
};

/** The error of a failed match; `seenBefore`: an earlier reading of the same edit had found it. */
export function matchFailure(
  path: string,
  error: MatchError,
  options: SettledOptions,
  seenBefore: boolean,
): FeError {
  if (error.kind === "after-too-large" && error.afterSizeBytes !== undefined) {
    refuseTooLarge(path, error.afterSizeBytes, options, "the result");
  }
  const miss: MissReport = {
    editIndex: error.editIndex,
    count: error.count,
    positions: error.positions,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.nearest === undefined ? {} : { nearest: error.nearest }),
    ...(error.differing === undefined ? {} : { differing: error.differing }),
  };
  if (seenBefore) return contentChanged(path, error.message, miss);
  return new FeError(codes[error.kind], `Cannot edit "${path}": ${error.message}`, {
    path,
    miss,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}
