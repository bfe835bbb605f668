// The page about losses of power.

import { reflow } from "./reflow.mjs";

/**
 * @typedef {object} Control
 * @property {number} flushes
 * @property {number} triedFlushes
 * @property {number} states
 * @property {number} withCommand
 * @property {number} torn
 * @property {number} unreadable
 * @property {number} wrongStates
 *
 * @typedef {object} Power what test-e2e/src/power wrote
 * @property {number} seed
 * @property {boolean} isLong
 * @property {Record<string, Control>} control
 * @property {Record<string, Record<string, { caught: boolean, states: number }>>} mutants
 */

/**
 * @param {Power["control"]} control
 * @returns {string[]}
 */
function controlTable(control) {
  const heads = ["filesystem, workload", "flushes", "tried", "states", "with the command"];
  heads.push("torn, with record", "unreadable, file whole", "wrong");
  const lines = [`| ${heads.join(" | ")} |`, `|${" --- |".repeat(heads.length)}`];
  for (const [name, row] of Object.entries(control).sort()) {
    const { flushes, triedFlushes, states, withCommand, torn, unreadable, wrongStates } = row;
    const numbers = [flushes, triedFlushes, states, withCommand, torn, unreadable, wrongStates];
    lines.push(`| ${name} | ${numbers.join(" | ")} |`);
  }
  return lines;
}

/**
 * States per filesystem.
 *
 * @param {Power["control"]} control
 */
function sumsOf(control) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const [name, { states }] of Object.entries(control)) {
    const [filesystem = ""] = name.split(", ");
    sums.set(filesystem, (sums.get(filesystem) ?? 0) + states);
  }
  return [...sums].sort().map(([filesystem, states]) => `${filesystem} ${states}`);
}

/**
 * @param {Power["mutants"]} mutants
 * @returns {string[]}
 */
function mutantTable(mutants) {
  const columns = [...new Set(Object.values(mutants).flatMap((row) => Object.keys(row)))].sort();
  const lines = [
    `| left out | ${columns.join(" | ")} |`,
    `| --- |${" --- |".repeat(columns.length)}`,
  ];
  for (const [mutant, row] of Object.entries(mutants)) {
    const cells = columns.map((column) => {
      const cell = row[column];
      if (cell === undefined) return "not run";
      return `${cell.caught ? "caught at state" : "missed:"} ${cell.states}`;
    });
    lines.push(`| ${mutant} | ${cells.join(" | ")} |`);
  }
  return lines;
}

/**
 * @param {{ power: Power }} found
 * @param {import("./write-page.mjs").Surroundings} around
 */
export function powerPage({ power }, { machine, versionOf }) {
  const { seed, isLong, control, mutants } = power;

  const lines = [
    "# Power lost at every flush",
    "",
    `Written by \`npm run test:power -- --evidence${isLong ? " --long" : ""}\`, not by hand.`,
    `Seed ${seed}.`,
    "",
    `**Machine.** ${machine.join(", ")}; ${versionOf("mkfs.xfs", "-V")}.`,
    "The disk is an image in memory, behind a FUSE program and a loop device.",
    "",
    "**Method.** The built engine edits on a filesystem of the running kernel,",
    "target and store both",
    "on it. Every write and flush of the disk is logged, with marks of what the",
    "edit had reached. The",
    "disk is made again as it may be after a loss of power at each flush:",
    "everything before the last",
    "flush that had ended; of what came after, nothing, half of the writes, half",
    "of their blocks of",
    "4 KiB, or the first ones. It is mounted with the same options, which",
    "replays its journal, and the",
    "built engine makes the next edit; where that is refused, both versions are",
    "read, one is kept and",
    "the edit is made. The workload ran under a boot id of its own, so that to",
    "the engine the machine",
    "was started again. The oracle: no torn file without a readable record with both versions, no",
    "version that was not begun, none older than the last that was committed or",
    "acknowledged; every",
    "file can be edited in the end, and the store is clean.",
    "",
    "Edits grow, shrink and keep the length in turn. `reconcile` begins with a",
    "process that was killed",
    "before it synced the target, `resolve` with one that was killed within its write.",
    "",
    ...controlTable(control),
  ];
  lines.push(
    "",
    `States in all: ${sumsOf(control).join(", ")}. Each log, replayed to its end, gave the`,
    "disk byte for byte.",
    "",
    "*Unreadable* is a record that was removed, and whose removal was not durable yet: with",
    "`data=writeback`, ext4 gives its blocks to the next record",
    "at once. The file was whole and up to",
    "date each time; the next edit was refused as `FE_RECORD_UNSAFE` all the same, until",
    "`fe recovery resolve --keep current`. On the other filesystems this would count as wrong.",
    "",
    "**Mutants**, each on a fresh disk up to the first wrong state; `missed` after so many states.",
    "",
  );
  lines.push(...mutantTable(mutants));
  lines.push(
    "",
    "What one filesystem hides another shows; what all hide another layer catches:",
    "[which one](mutants.md).",
    "",
    "**Not shown.** Disks and hypervisors that confirm a flush and do none; a",
    "block of 4 KiB torn in",
    "itself; FUA (a loop device offers none, so the kernel flushes); media",
    "errors; other kernels and",
    "mount options than these.",
  );
  return reflow(lines);
}
