// The page about the addon under sanitizers.

import { reflow } from "./reflow.mjs";

/**
 * @typedef {object} Found what scripts/sanitize.mjs wrote
 * @property {number} seed
 * @property {{ passed: number, failed: number, skipped: number }} tests
 * @property {string} calls what the last process said of its calls
 * @property {readonly { name: string, head: string }[]} found
 */

/**
 * @param {Found} found
 * @param {import("./write-page.mjs").Surroundings} around
 */
export function sanitizersPage({ seed, tests, calls, found }, { machine, versionOf }) {
  return reflow([
    "# The addon under sanitizers",
    "",
    `Written by \`npm run test:sanitize -- --evidence\`, not by hand. Seed ${seed}.`,
    "",
    `**Machine.** ${machine.join(", ")}; ${versionOf("g++", "--version")}.`,
    "",
    "**Method.** A copy of the addon is built with the address and the",
    "undefined-behaviour sanitizer",
    "of GCC. The addon's own tests run on it. Then one process calls every exported function with",
    "random arguments, with the leak check on: most of the right types with odd values, the others",
    "anything: numbers of every size, bigints, texts with lone surrogates and NUL, memory that",
    "is detached, shared, resizable and shrunk, views of every type, handles that",
    "are closed or never",
    "were, objects that throw when they are looked at. An answer, a `TypeError`",
    "about an argument, or",
    "an error of the system with its code is right; anything else ends the run.",
    "",
    `The tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped}`,
    `skipped. The calls:`,
    `${calls}. No report.`,
    "",
    "## Faults that were planted",
    "",
    "Each by itself in a copy, as a change of one place of the C++:",
    "",
    "| fault | report |",
    "| --- | --- |",
    ...found.map(({ name, head }) => `| ${name} | ${head} |`),
    "",
    "## What it does not show",
    "",
    "Node itself is not sanitized, so a write into its heap is seen only where it",
    "leaves a block that",
    "`malloc` gave. Threads are not looked at: all calls come from one.",
  ]);
}
