// The page about the tests in a Node for Windows, under Wine.

import { reflow } from "./reflow.mjs";

/**
 * @typedef {import("../bundled-tests/vitest.mjs").Outcome} Outcome
 *
 * @typedef {object} Found what scripts/windows-test.mjs wrote
 * @property {string} node version
 * @property {string} wine
 * @property {boolean} isAll whether the run was one with `--all`
 * @property {readonly Outcome[]} outcomes
 * @property {readonly (readonly [file: string, reason: string])[]} left files that were not run
 */

/** @param {Outcome} outcome */
function fileOf({ title }) {
  return title.split(" > ", 1)[0] ?? title;
}

/** The folder of a package. @param {string} file */
function packageOf(file) {
  return /^(?:packages\/)?[^/:]+/u.exec(file)?.[0] ?? file;
}

/** @param {readonly string[]} values */
function counted(values) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** @param {readonly Outcome[]} outcomes */
function countTable(outcomes) {
  const names = [...new Set(outcomes.map((outcome) => packageOf(fileOf(outcome))))].sort();
  const rows = names.map((name) => {
    const own = outcomes.filter((outcome) => packageOf(fileOf(outcome)) === name);
    const files = new Set(own.map(fileOf)).size;
    const { passed, skipped } = Object.fromEntries(counted(own.map(({ state }) => state)));
    return `| ${name} | ${files} | ${passed ?? 0} | ${skipped ?? 0} |`;
  });
  return ["| package | files | passed | skipped |", "| --- | --: | --: | --: |", ...rows];
}

/** @param {readonly (readonly [name: string, reason: string])[]} all */
function byReason(all) {
  const reasons = [...new Set(all.map(([, reason]) => reason))].sort();
  return reasons.flatMap((reason) => {
    const names = all.filter(([, own]) => own === reason).map(([name]) => `- ${name}`);
    return ["", `${reason[0]?.toUpperCase()}${reason.slice(1)}:`, "", ...names];
  });
}

/** Titles of tests that passed. @param {readonly Outcome[]} outcomes @param {RegExp} files */
function titlesIn(outcomes, files) {
  const own = outcomes.filter((each) => each.state === "passed" && files.test(fileOf(each)));
  return own.map(({ title }) => `- ${title.slice(title.indexOf(" > ") + 3)}`);
}

/**
 * @param {Found} found
 * @param {import("./write-page.mjs").Surroundings} around
 */
export function windowsPage({ node, wine, isAll, outcomes, left }, { machine }) {
  const of = (/** @type {string} */ state) => outcomes.filter((outcome) => outcome.state === state);
  if (of("failed").length > 0) throw new Error("The page is for runs without a failure");
  const skipped = of("skipped").map(({ title, detail }) => {
    return /** @type {const} */ ([title, detail ?? "no reason was given"]);
  });
  return reflow([
    "# Windows node.exe under Wine",
    "",
    `Written by \`npm run test:windows -- ${isAll ? "--all " : ""}--evidence\`, not by hand.`,
    "**Nothing here ran on Windows.**",
    "",
    `**Machine.** ${machine.join(", ")}; node.exe ${node} for x64 from npm, under ${wine}.`,
    "",
    "**Method.** The addon is compiled for win32-x64. The tests of each package are bundled with",
    "its sources and with vitest's own runner, and run in node.exe, each package in a process of",
    "its own. Those of `test-e2e` start the built `fe` and `fe-mcp`, as a consumer has them, and",
    "edits that are stopped or killed (`TerminateProcess`) at a call; all are node.exe too.",
    "Files are made as the user's alone, as a profile of Windows has them.",
    "",
    `${of("passed").length} tests passed, none failed, ${skipped.length} were skipped.`,
    "",
    ...countTable(outcomes),
    "",
    "Contention, kills and what the next edit makes of them, and exclusion:",
    "",
    ...titlesIn(outcomes, /(?:race|kill\.crash|edit\.windows|exclude\.windows)\.test$/u),
    "",
    "## Skipped, and why",
    ...byReason(skipped),
    "",
    "## Files that were not run, and why",
    ...byReason(left),
    "",
    "## What it shows, and what not",
    "",
    "The compiled file loads, asks for what it should, and does with Wine's answers what the port",
    "promises; and journal, engine, command and server do with those what they should. Wine makes",
    "access lists out of modes, has no links, no junctions, no named streams, no time of birth, no",
    "boot id and no POSIX removal, and its flush proves nothing of a disk. So what Windows itself",
    "does is not shown, and that named streams survive an edit was not run:",
    "[platforms](../platforms.md#windows) has the list.",
  ]);
}
