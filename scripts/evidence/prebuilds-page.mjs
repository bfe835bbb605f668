// The page about the prebuilt files and the packed packages. What was not run stands on it because
// nothing was found of it: a run counts only for the very file that it ran.

import { loadavg } from "node:os";
import { reflow } from "./reflow.mjs";
import { readResults, readTestRun } from "./results.mjs";

/**
 * @typedef {import("../prebuilt/make.mjs").Made} Made
 * @typedef {Made & { file: NonNullable<Made["file"]> }} Whole
 *
 * @typedef {object} Size
 * @property {string} name
 * @property {number} packedBytes
 * @property {number} unpackedBytes
 *
 * @typedef {object} Install
 * @property {string} by
 * @property {string} cache
 * @property {number} seconds by the clock
 * @property {number} [processorSeconds]
 * @property {number} count packages that were installed
 */

/** @param {number} bytes */
const kibibytes = (bytes) => `${Math.ceil(bytes / 1024).toLocaleString("en")} KiB`;

/** @type {(made: Made) => made is Whole} */
const isWhole = (made) => made.file !== undefined && made.problems.length === 0;

/** @param {readonly Whole[]} made */
function fileTable(made) {
  return [
    "| File in `prebuilds/` | Bytes | SHA-256 begins | Needs | Asks for | Loaded by |",
    "| --- | --: | --- | --- | --- | --- |",
    ...made.map(({ file: { name, sizeBytes, sha256, needs, libraries }, loaded }) => {
      const by = loaded.outcome === "loaded" ? loaded.detail : "–";
      const cells = [`\`${name}\``, sizeBytes.toLocaleString("en"), `\`${sha256.slice(0, 12)}\``];
      return `| ${[...cells, needs, libraries.join(", "), by].join(" | ")} |`;
    }),
  ];
}

/** @param {readonly Whole[]} made */
function runs(made) {
  return made.map(({ name, file }) => {
    const run = readTestRun(name, file.sha256);
    if (run === undefined) return `- ${name}: **not run**`;
    if (run.failed > 0) throw new Error("The page is for runs without a failure");
    return `- ${name}: ${run.passed} passed, ${run.skipped} skipped; ${run.where}`;
  });
}

/** @param {readonly Whole[]} made */
function alsoExported(made) {
  return made
    .filter(({ file }) => file.alsoExported.length > 0)
    .map(({ name, file }) => {
      const names = file.alsoExported.map((symbol) => `\`${symbol}\``).join(", ");
      return `- ${name}: ${file.alsoExported.length} more, ${names}`;
    });
}

/** @param {Record<string, unknown>} packages what test-e2e/src/packages found, by name */
function packageTables(packages) {
  /** @param {string} start */
  const all = (start) => Object.entries(packages).filter(([name]) => name.startsWith(start));
  const sizes = /** @type {Size[]} */ (all("size of ").map(([, size]) => size));
  const installs = /** @type {Install[]} */ (all("install by ").map(([, install]) => install));
  return [
    "| Package | Packed | Unpacked |",
    "| --- | --: | --: |",
    ...sizes.map(
      ({ name, packedBytes, unpackedBytes }) =>
        `| \`${name}\` | ${kibibytes(packedBytes)} | ${kibibytes(unpackedBytes)} |`,
    ),
    "",
    "All tarballs in one command, into an empty folder, without install scripts and without a",
    "compiler on PATH; then `fe edit` and what else the tests do. Processor time is that of the",
    "installer and its children, which other work does not add to; the clock's seconds it does:",
    `the load average was ${loadavg()[0]?.toFixed(0)} when this page was written.`,
    "",
    "| By | Its cache | Seconds | Of processor time | Packages |",
    "| --- | --- | --: | --: | --: |",
    ...installs.map(({ by, cache, seconds, processorSeconds, count }) => {
      const processor = processorSeconds?.toFixed(1) ?? "not measured";
      return `| ${by} | ${cache} | ${seconds.toFixed(1)} | ${processor} | ${count} |`;
    }),
  ];
}

/**
 * @param {readonly Made[]} found
 * @param {import("./write-page.mjs").Surroundings} around
 */
export function prebuildsPage(found, { machine, versionOf }) {
  const made = found.filter(isWhole);
  if (made.length !== found.length) throw new Error("The page is for files without a problem");
  const packages = readResults("packages");
  if (packages === undefined || packages.counts.failed > 0) {
    throw new Error("The page is for packages without a failure");
  }
  const { passed, skipped } = packages.counts;
  const notLoaded = made.filter(
    ({ name, file, loaded }) =>
      loaded.outcome !== "loaded" && readTestRun(name, file.sha256) === undefined,
  );
  return reflow([
    "# Prebuilt files and packed packages",
    "",
    "Written by `npm run prebuilds -- --evidence`, not by hand: it makes all files, checks them,",
    "runs each that this machine can run, and tests the packed packages.",
    "",
    `**Machine.** ${machine.join(", ")}; npm ${packages.npm},`,
    `${versionOf("readelf", "--version")}.`,
    "",
    "## The files",
    "",
    "One cross compiler made them ([compile.mjs](../../scripts/prebuilt/compile.mjs)), each with",
    "the C++ library inside. A file is on this page only if it passed the checks: the processor,",
    "the oldest system, the libraries, the symbols that it shows and asks for, the size, no path",
    "of the machine in it, and that node-gyp-build picks it for its system.",
    "",
    ...fileTable(made),
    "",
    "Loaded by the loader of musl: a small program of that loader opened the file with all",
    "symbols bound at once, and found Node's entry. Nothing in it was called.",
    "",
    "Each shows the two names that Node looks for. What some show beside them is of the compiler's",
    "own libraries and linker:",
    "",
    ...alsoExported(made),
    "",
    "## What ran with them",
    "",
    "The unit and contract tests of `@fe/native`, in a folder as a consumer has it. A run counts",
    "for the file with the checksum above and no other.",
    "",
    ...runs(made),
    "",
    "qemu-user translates the processor and hands system calls to the kernel of this machine; it",
    "does not know all of them. Wine answers in the place of Windows. What each therefore does",
    "not show is in [platforms](../platforms.md).",
    "",
    "## The packages",
    "",
    `\`npm run test:package\`: ${passed} passed, ${skipped} skipped.`,
    "",
    ...packageTables(packages),
    "",
    "The test with Electron is Node under another name that gives itself Electron's version.",
    "",
    "## Not run",
    "",
    ...notLoaded.map(({ name }) => `- ${name}: inspected only; neither loaded nor run`),
    "- A Node that is itself made for musl: none was here",
    "- A real machine with macOS, Windows or an arm64 processor; Electron itself",
    "- [The workflows](../../.github/workflows/), which make the files of a release",
  ]);
}
