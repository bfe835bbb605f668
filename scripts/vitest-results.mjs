// What the reporters of a vitest run wrote: how many tests passed, failed and were skipped, why.
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} TestCounts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * What vitest's JSON reporter wrote. A file that could not be loaded has no test to count, so it
 * counts itself.
 *
 * @param {string} resultsFile
 * @returns {TestCounts | undefined} `undefined` if it wrote nothing
 */
export function readCounts(resultsFile) {
  let results;
  try {
    results = JSON.parse(readFileSync(resultsFile, "utf8"));
  } catch {
    return undefined;
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of results.testResults) {
    let failedHere = 0;
    for (const { status } of file.assertionResults) {
      if (status === "passed") counts.passed += 1;
      else if (status === "failed") failedHere += 1;
      else counts.skipped += 1;
    }
    counts.failed += file.status === "failed" ? Math.max(failedHere, 1) : failedHere;
  }
  return counts;
}

/**
 * The counts of a run that has ended. One that wrote nothing, or failed though no test did, as by
 * an error that was thrown after the last test had ended, counts as one failure.
 *
 * @param {string} resultsFile
 * @param {boolean} succeeded
 */
export function countsOfRun(resultsFile, succeeded) {
  const counts = readCounts(resultsFile);
  if (counts === undefined) return { passed: 0, failed: 1, skipped: 0 };
  return succeeded || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/**
 * @param {string} skipsFile what vitest-skips.mjs wrote
 * @param {string} root
 */
export function printSkips(skipsFile, root) {
  const lines = readFileSync(skipsFile, "utf8").split("\n").filter(Boolean);
  if (lines.length === 0) return;
  console.log("\nSkipped:");
  for (const line of lines) {
    const { file, name, reason } = JSON.parse(line);
    const where = path.relative(root, file).replaceAll(path.sep, "/");
    console.log(`  ${where}: ${name}${reason ? ` (${reason})` : ""}`);
  }
}

/**
 * The last line of every suite; `.ci/run` adds them up.
 *
 * @param {TestCounts} counts
 */
export function countLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
