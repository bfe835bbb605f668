// What became of bundled tests, for people and for `.ci/run`.

/** @typedef {import("./vitest.mjs").Outcome} Outcome */

/**
 * @param {readonly Outcome[]} outcomes
 * @param {Readonly<Record<string, string>>} unfaithful why a test fails though the code is right,
 *   by a part of its title
 * @param {string} where such tests cannot be run
 * @returns {Outcome[]} those that failed and are named there, as skipped
 */
export function judge(outcomes, unfaithful, where) {
  return outcomes.map((outcome) => {
    const found = Object.entries(unfaithful).find(([title]) => outcome.title.includes(title));
    if (found === undefined || outcome.state !== "failed") return outcome;
    return { ...outcome, state: "skipped", detail: `${where}: ${found[1]}` };
  });
}

/**
 * Prints what did not pass, and how many did; ends the process with 1 if one failed or none passed.
 *
 * @param {readonly Outcome[]} outcomes
 */
export function report(outcomes) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { title, state, detail } of outcomes) {
    counts[state] += 1;
    if (state !== "passed") console.log(`${state}: ${title}${detail ? ` (${detail})` : ""}`);
  }
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
}
