// Makes the prebuilt files of the addon, for consumers who have no compiler:
//
//   npm run prebuilds [-- TARGET…]    default: all of prebuilt/targets.mjs
//   npm run prebuilds -- host         that of this machine, with its own compiler, by prebuildify
//   npm run prebuilds -- --list       which are there; exit code 1 if one is missing
//
// Each is compiled, its symbols and size are checked, node-gyp-build has to pick it, and it is
// loaded where this machine can. The files are not committed; those of a release are made by
// .github/workflows/release.yml. Exit code 1 if a file is not as it should be.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { compile, nativeFolder } from "./prebuilt/compile.mjs";
import { checkElf, glibcFloor, parseReadelf, readelfParameters } from "./prebuilt/elf.mjs";
import { pickedFile, tryToLoad } from "./prebuilt/load.mjs";
import { anyPlaces, machinePaths } from "./prebuilt/machine-paths.mjs";
import { checkMacho, parseMacho } from "./prebuilt/macho.mjs";
import { checkPe, parsePe } from "./prebuilt/pe.mjs";
import { makePrebuiltFile } from "./prebuilt/prebuildify.mjs";
import { fileName, targets } from "./prebuilt/targets.mjs";

/** @typedef {import("./prebuilt/targets.mjs").Target} Target */

/** @param {string} file */
function readelf(file) {
  const options = /** @type {const} */ ({ encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  const result = spawnSync("readelf", [...readelfParameters, file], options);
  if (result.error) throw new Error(`readelf of binutils is needed: ${result.error.message}`);
  return parseReadelf(result.stdout);
}

/**
 * @typedef {object} Inspection
 * @property {string[]} problems
 * @property {string} needs the oldest system
 * @property {string[]} symbols that somebody else has to give
 */

/**
 * @param {Target} target
 * @param {string} file
 * @param {Buffer} content
 * @returns {Inspection}
 */
function inspect(target, file, content) {
  if (target.system === "mac") {
    const facts = parseMacho(content);
    const problems = checkMacho(facts, target, content.length);
    return { problems, needs: `macOS ${facts.oldestSystem}`, symbols: facts.fromAnywhere };
  }
  if (target.system === "win") {
    const facts = parsePe(content);
    return { problems: checkPe(facts, target, content.length), needs: "Windows 10", symbols: [] };
  }
  const facts = readelf(file);
  const floor = glibcFloor(facts);
  return {
    problems: checkElf(facts, target, content.length),
    needs: floor === undefined ? `${target.libc}` : `glibc ${floor}`,
    symbols: facts.unversioned,
  };
}

/**
 * @param {Target} target
 * @returns {boolean} whether it is as it should be
 */
function make(target) {
  const start = performance.now();
  const file = path.join(nativeFolder, "prebuilds", fileName(target));
  compile(target, file);
  const content = readFileSync(file);
  const { problems, needs, symbols } = inspect(target, file, content);
  for (const place of machinePaths(content, anyPlaces)) problems.push(`holds the path ${place}`);
  const picked = pickedFile(target);
  if (picked !== file) problems.push(`node-gyp-build takes ${picked} instead`);
  const { outcome, detail } = tryToLoad(target, file, symbols);
  if (outcome === "failed") problems.push(`cannot be loaded: ${detail}`);
  console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${target.name}`);
  console.log(`       ${content.length} bytes, needs ${needs}`);
  console.log(`       sha256 ${createHash("sha256").update(content).digest("hex")}`);
  console.log(`       ${outcome === "skipped" ? "not loaded" : outcome}: ${detail}`);
  console.log(`       ${((performance.now() - start) / 1000).toFixed(1)} s`);
  for (const problem of problems) console.log(`       ${problem}`);
  return problems.length === 0;
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
  if (names.join() === "host") {
    console.log(makePrebuiltFile());
    return;
  }
  if (names.join() === "--list") {
    if (!list()) process.exitCode = 1;
    return;
  }
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) {
    const known = targets.map(({ name }) => name).join(", ");
    throw new Error(`No target ${unknown.join(", ")}; there are ${known}`);
  }
  const wanted = targets.filter(({ name }) => names.length === 0 || names.includes(name));
  const areGood = wanted.map(make);
  if (areGood.includes(false)) process.exitCode = 1;
}

main();
