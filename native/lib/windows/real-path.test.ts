import fs from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { OsError } from "../os-error.ts";
import { resolveWindowsRealPath } from "./real-path.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** What Node throws where the system refuses to say what stands at a path. */
function refuseToTell(code: string, errno: number): void {
  vi.spyOn(fs, "statSync").mockImplementation(() => {
    throw Object.assign(new Error(`${code}: stat`), { code, errno, syscall: "stat" });
  });
}

describe("resolveWindowsRealPath()", () => {
  test.each([
    ["a component that is taken off by its text", "C:\\absent\\folder\\..\\a.txt"],
    ["what stands above a missing name", "C:\\absent\\folder\\a.txt"],
  ])("Q5 answers what the system says of %s", (_what, path) => {
    expect(() => resolveWindowsRealPath(path, true)).toThrow(/^resolveRealPath .*ENOENT/u);
    refuseToTell("EPERM", -4048);
    let error: unknown;
    try {
      resolveWindowsRealPath(path, true);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(OsError);
    expect(error).toMatchObject({ code: "EPERM", operation: "resolveRealPath", path });
  });
});
