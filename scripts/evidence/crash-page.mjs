// The page about kills and failed calls.

import { reflow } from "./reflow.mjs";

/**
 * @typedef {{ runs: number, wentOn: number, person: number, torn: number }} Tally
 * @typedef {object} Found what the tests in test-e2e/src/crash wrote
 * @property {Record<string, { calls: string[], faults: Record<string, Tally> }>} [everyCall]
 * @property {Record<string, string[] | number> & { caught: string[] }} [trace]
 */

/** @type {Readonly<Record<string, string>>} */
const titles = {
  edit: "an edit that grows the file, with the user's first record",
  shorten: "an edit that shrinks the file",
  reconcile: "an edit that finds the orphan of a complete one",
  resolve: "a resolution of a torn file",
};

/**
 * @param {Record<string, Tally>} faults
 * @param {keyof Tally} member
 */
function total(faults, member) {
  return Object.values(faults).reduce((sum, tally) => sum + tally[member], 0);
}

/**
 * @param {Found} found
 * @param {import("./write-page.mjs").Surroundings} around
 */
export function crashPage({ everyCall, trace }, { machine, versionOf, filesystemOf }) {
  const lines = [
    "# A kill, or a failed call, at every call that changes a file",
    "",
    "Written by `npm run test:crash -- --evidence`, not by hand.",
    "",
    `**Machine.** ${machine.join(", ")}; files and store on ${filesystemOf("/tmp")}.`,
    "",
    "**Method.** The built command runs with one thread beside its main one and",
    "without io_uring. A",
    "library between it and libc counts the calls that change a file, over all",
    "threads, and kills the",
    "process before, within (writes) or after call N, cuts a write to 1 byte, or",
    "fails the call with",
    "ENOSPC, EIO or EINTR; each once for every N. After each run the built command makes the next",
    "edit; where that is refused, both versions are read from the record, one is kept with",
    "`fe recovery resolve`, and the edit is made. The oracle judges the bytes, the answer of a run",
    "that was not killed must say what is so, and the store must be clean in the",
    "end. A fault that did",
    "not happen is a failure.",
    "",
    "| the command does | calls | runs | next edit went on | a person decides | torn, in record |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  for (const [name, { calls, faults }] of Object.entries(everyCall ?? {})) {
    const members = /** @type {const} */ (["runs", "wentOn", "person", "torn"]);
    const numbers = members.map((member) => total(faults, member));
    lines.push(`| ${titles[name] ?? name} | ${calls.length} | ${numbers.join(" | ")} |`);
  }
  lines.push("", "No run violated the oracle.");
  if (trace === undefined) {
    lines.push("", "strace was not there: not shown that the library misses no call.");
    return reflow(lines);
  }
  const killed = Object.entries(trace)
    .filter(([name]) => name.endsWith(", killed"))
    .map(([name, count]) => `${count} in ${name.replace(", killed", "")}`);
  lines.push(
    "",
    `**As the kernel sees it** (${versionOf("strace", "--version")}). The list`,
    "of file-changing calls",
    "is the same as the library's, and as the committed one",
    "([expected-calls.ts](../../test-e2e/src/crash/expected-calls.ts)). Killed by strace before a",
    `call, with the calls that only look included: ${killed.join(", ")}. None violated the oracle.`,
    "A write that the kernel reports as done and that wrote nothing was noticed by reading back.",
  );
  for (const name of Object.keys(titles)) {
    const calls = trace[name];
    if (!Array.isArray(calls)) continue;
    lines.push("", `${name}: ${calls.map((call) => `\`${call}\``).join(", ")}.`);
  }
  lines.push(
    "",
    "**Mutants.** Each was noticed by the comparison of the lists: the control was not.",
    "",
    ...trace.caught.filter((name) => name !== "none").map((name) => `- ${name}`),
    "",
    "`record removed first` was besides noticed by a kill within the write: a torn file without",
    "record. The others leave the same files behind after a kill, as the page",
    "cache survives it; which",
    "of them a loss of power shows is on the page about power.",
    "",
    "**Not shown.** Loss of power; two faults in one run; other systems than",
    "this one; a mutant that",
    "leaves out the look before the write.",
  );
  return reflow(lines);
}
