import { errorCodes, FeError, type FeErrorCode } from "@fe/engine";
import { describe, expect, it } from "vitest";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";

/** As REQUIREMENTS X has it. */
const expected: Readonly<Record<number, string>> = {
  2: "INVALID_REQUEST",
  3: "NO_MATCH",
  4: "AMBIGUOUS_MATCH COUNT_MISMATCH",
  6:
    "NOT_FOUND OUTSIDE_ROOT LINK_REFUSED NOT_REGULAR PERMISSION_DENIED POLICY_DENIED " +
    "FILE_TOO_LARGE INVALID_ENCODING UNSUPPORTED",
  5: "CONTENT_CHANGED TARGET_REPLACED PARENT_REPLACED PERMISSION_CHANGED",
  75: "BUSY EXCLUSION_UNAVAILABLE",
  7: "RECOVERY_REQUIRED RECORD_UNSAFE OUTCOME_UNKNOWN",
  1: "IO NO_SPACE SYNC_FAILED STORE_NOT_PRIVATE NATIVE_UNAVAILABLE CLOSED ABORTED",
};

describe("exitCodes", () => {
  it("has every code of the engine, and no other", () => {
    expect(Object.keys(exitCodes).sort()).toEqual(Object.keys(errorCodes).sort());
  });

  it("gives each code the exit code that is documented", () => {
    const pairs = Object.entries(expected).flatMap(([exit, codes]) =>
      codes.split(" ").map((code) => [`FE_${code}`, Number(exit)] as const),
    );
    expect(exitCodes).toEqual(Object.fromEntries(pairs));
  });

  it("keeps 7 for what a person must decide, and 75 for what may be tried again", () => {
    for (const code of Object.keys(errorCodes) as FeErrorCode[]) {
      const needsPerson = errorCodes[code].status === "recovery_required";
      expect(exitCodes[code] === 7, code).toBe(needsPerson);
    }
    expect(errorCodes.FE_BUSY.retryable).toBe(true);
  });

  it("says which signal stopped an edit", () => {
    const aborted = new FeError("FE_ABORTED", "");
    expect(exitCodeOf(aborted)).toBe(1);
    expect(exitCodeOf(aborted, "SIGINT")).toBe(130);
    expect(exitCodeOf(aborted, "SIGTERM")).toBe(143);
    expect(exitCodeOf(aborted, "SIGHUP")).toBe(143);
    expect(exitCodeOf(new FeError("FE_NO_MATCH", ""), "SIGINT")).toBe(3);
  });

  it("ends with 75 only where the same command may succeed later", () => {
    const code = "FE_EXCLUSION_UNAVAILABLE";
    expect(exitCodeOf(new FeError(code, ""))).toBe(75);
    expect(exitCodeOf(new FeError(code, "", { isLasting: true }))).toBe(6);
    for (const each of Object.keys(errorCodes) as FeErrorCode[]) {
      const error = new FeError(each, "");
      if (exitCodeOf(error) === 75) expect(error.retryable, each).toBe(true);
    }
  });
});
