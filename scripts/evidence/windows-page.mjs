// The page about the tests in a Node for Windows, under Wine.

import { reflow } from "./reflow.mjs";

/**
 * @typedef {object} Found what scripts/windows-test.mjs wrote
 * @property {string} node version and processor
 * @property {string} wine
 * @property {readonly import("../bundled-tests/vitest.mjs").Outcome[]} outcomes
 */

/**
 * Counts by file of tests; what is of no file stands there by its title.
 *
 * @param {Found["outcomes"]} outcomes
 */
function countTable(outcomes) {
  /** @type {Map<string, { passed: number, failed: number, skipped: number }>} */
  const groups = new Map();
  for (const { title, state } of outcomes) {
    const end = title.indexOf(" > ");
    const group = end === -1 ? title : title.slice(0, end);
    const counts = groups.get(group) ?? { passed: 0, failed: 0, skipped: 0 };
    counts[state] += 1;
    groups.set(group, counts);
  }
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    "| tests | passed | skipped |",
    "| --- | --: | --: |",
    ...rows.map(([group, { passed, skipped }]) => `| ${group} | ${passed} | ${skipped} |`),
  ];
}

/**
 * @param {Found} found
 * @param {import("./write-page.mjs").Surroundings} around
 */
export function windowsPage({ node, wine, outcomes }, { machine }) {
  const of = (/** @type {string} */ state) => outcomes.filter((outcome) => outcome.state === state);
  if (of("failed").length > 0) throw new Error("The page is for runs without a failure");
  const skipped = of("skipped");
  const whole = of("passed").filter(({ title }) => title.startsWith("edit.windows.test > "));
  return reflow([
    "# Windows node.exe under Wine",
    "",
    "Written by `npm run test:windows -- --evidence`, not by hand. **Nothing here ran",
    "on Windows.**",
    "",
    `**Machine.** ${machine.join(", ")}; node.exe ${node} from npm, under ${wine}.`,
    "",
    "**Method.** The addon is compiled for win32-x64 and put beside the port as a consumer has",
    "both. The tests of the port, which every system must pass, and those of the addon's own",
    "parts run in node.exe; then edits by processes of their own: one at a time, several at",
    "once, and killed in the middle of a write.",
    "",
    `${of("passed").length} tests passed, none failed, ${skipped.length} were skipped.`,
    "",
    ...countTable(outcomes),
    "",
    "The edits by whole processes:",
    "",
    ...whole.map(({ title }) => `- ${title.slice(title.indexOf(" > ") + 3)}`),
    "",
    "## Skipped, and why",
    "",
    ...skipped.map(({ title, detail }) => `- ${title}: ${detail ?? "no reason was given"}`),
    "",
    "## What it shows, and what not",
    "",
    "The compiled file loads, asks for what it should, and does with Wine's answers what the",
    "port promises. Wine makes access lists out of modes, has no links, no junctions and no POSIX",
    "removal, and its flush proves nothing of a disk. So what Windows itself does is not shown:",
    "[platforms](../platforms.md#windows) has the list. The tests of the packages above the port,",
    "the command and the server are not among these; they run on Linux.",
  ]);
}
