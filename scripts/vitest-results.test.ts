// That no run which went wrong counts as one without a failure.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { countsOfRun } from "./vitest-results.mjs";

/** A results file of one test file with tests of these states. */
function results(...states: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), "fe-results-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const assertionResults = states.map((status) => ({ status }));
  const status = states.includes("failed") ? "failed" : "passed";
  const file = path.join(folder, "results.json");
  writeFileSync(file, JSON.stringify({ testResults: [{ status, assertionResults }] }));
  return file;
}

describe("countsOfRun()", () => {
  it("counts what passed, failed and was skipped", () => {
    const file = results("passed", "failed", "failed", "pending");
    expect(countsOfRun(file, false)).toEqual({ passed: 1, failed: 2, skipped: 1 });
    expect(countsOfRun(results("passed"), true)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  });

  it("counts a run as failed that failed beside its tests, or wrote nothing", () => {
    expect(countsOfRun(results("passed"), false).failed).toBe(1);
    for (const succeeded of [true, false]) {
      expect(countsOfRun("/nowhere/results.json", succeeded).failed).toBe(1);
    }
  });
});
