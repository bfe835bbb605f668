// Makes the prebuilt files of the addon, for consumers who have no compiler:
//
//   npm run prebuilds [-- TARGET…]    default: all of prebuilt/targets.mjs
//   npm run prebuilds -- host         that of this machine, with its own compiler, by prebuildify
//   npm run prebuilds -- --list       which are there; exit code 1 if one is missing
//   npm run prebuilds -- --evidence   all, then everything that runs them here, and the page
//                                     docs/evidence/prebuilt-files.md of what was found
//
// Each is compiled, its symbols and size are checked, node-gyp-build has to pick it, and it is
// loaded where this machine can. The files are not committed; those of a release are made by
// .github/workflows/release.yml. The last line says how many are as they should be.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { keepResults } from "./evidence/results.mjs";
import { nativeFolder } from "./prebuilt/compile.mjs";
import { make } from "./prebuilt/make.mjs";
import { makePrebuiltFile } from "./prebuilt/prebuildify.mjs";
import { fileName, targets } from "./prebuilt/targets.mjs";
import { countLine } from "./vitest-results.mjs";

const usage = `npm run prebuilds [-- TARGET…]    makes the prebuilt files; default: all of them
npm run prebuilds -- host         that of this machine, with its own compiler
npm run prebuilds -- --list       which are there; exit code 1 if one is missing
npm run prebuilds -- --evidence   all, what runs them here, and the page of what was found

Targets: ${targets.map(({ name }) => name).join(", ")}`;

/** @typedef {import("./prebuilt/targets.mjs").Target} Target */
/** @typedef {import("./prebuilt/make.mjs").Made} Made */

const here = fileURLToPath(new URL(".", import.meta.url));

/** @param {Made} made */
function print({ name, file, problems, loaded, seconds }) {
  console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${name}`);
  if (file !== undefined) {
    console.log(`       ${file.sizeBytes} bytes, needs ${file.needs}`);
    console.log(`       sha256 ${file.sha256}`);
  }
  console.log(
    `       ${loaded.outcome === "skipped" ? "not loaded" : loaded.outcome}: ${loaded.detail}`,
  );
  console.log(`       ${seconds.toFixed(1)} s`);
  for (const problem of problems) console.log(`       ${problem}`);
}

/**
 * @param {readonly Target[]} wanted
 * @returns {Made[]}
 */
function makeAll(wanted) {
  const all = wanted.map((target) => {
    const made = make(target);
    print(made);
    return made;
  });
  const failed = all.filter(({ problems }) => problems.length > 0).length;
  console.log(`\n${countLine({ passed: all.length - failed, failed, skipped: 0 })}`);
  if (failed > 0) process.exitCode = 1;
  return all;
}

/** Runs them in all that this machine has for them. */
function makeEvidence() {
  const made = makeAll(targets);
  if (process.exitCode === 1) return;
  keepResults("prebuilt-files", made);
  const runs = [
    ["linux-test.mjs", "x64"],
    ["linux-test.mjs", "arm64"],
    ["windows-test.mjs"],
    ["package-test.mjs"],
    [path.join("evidence", "write-page.mjs"), "prebuilt-files"],
  ];
  for (const [script = "", ...parameters] of runs) {
    console.log(`\n== ${script} ${parameters.join(" ")}`);
    const command = [path.join(here, script), ...parameters];
    const { status } = spawnSync(process.execPath, command, { stdio: "inherit" });
    if (status === 0) continue;
    console.log(`${script} failed, so no page was written`);
    process.exitCode = 1;
    return;
  }
}

/** @returns {boolean} whether all are there */
function list() {
  const isThere = targets.map((target) => {
    const found = existsSync(path.join(nativeFolder, "prebuilds", fileName(target)));
    console.log(`${found ? "there  " : "MISSING"} ${fileName(target)}`);
    return found;
  });
  return !isThere.includes(false);
}

function main() {
  const names = process.argv.slice(2);
  switch (names.join()) {
    case "host":
      console.log(makePrebuiltFile());
      return;
    case "--help":
      console.log(usage);
      return;
    case "--list":
      if (!list()) process.exitCode = 1;
      return;
    case "--evidence":
      makeEvidence();
      return;
    default:
  }
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) {
    console.log(`No target ${unknown.join(", ")}\n\n${usage}`);
    process.exitCode = 1;
    return;
  }
  makeAll(targets.filter(({ name }) => names.length === 0 || names.includes(name)));
}

main();
