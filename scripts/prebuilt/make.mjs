// Makes one prebuilt file, and looks at all that can be seen of it on this machine.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { compile, nativeFolder } from "./compile.mjs";
import { checkElf, glibcFloor, parseReadelf, readelfParameters } from "./elf.mjs";
import { pickedFile, tryToLoad } from "./load.mjs";
import { anyPlaces, machinePaths } from "./machine-paths.mjs";
import { checkMacho, parseMacho } from "./macho.mjs";
import { checkPe, parsePe } from "./pe.mjs";
import { exportedSymbols, fileName } from "./targets.mjs";

/** @typedef {import("./targets.mjs").Target} Target */

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
 * @property {string[]} libraries that it asks the system for
 * @property {string[]} exported
 * @property {string[]} symbols that somebody else has to give
 */

/**
 * @param {Target} target
 * @param {string} file
 * @param {Buffer} content
 * @returns {Inspection}
 */
function inspect(target, file, content) {
  const { length } = content;
  if (target.system === "mac") {
    const facts = parseMacho(content);
    const { libraries, exported, fromAnywhere: symbols } = facts;
    const needs = `macOS ${facts.oldestSystem}${facts.isSigned ? ", signed by itself" : ""}`;
    return { problems: checkMacho(facts, target, length), needs, libraries, exported, symbols };
  }
  if (target.system === "win") {
    const facts = parsePe(content);
    const { libraries, exported } = facts;
    const problems = checkPe(facts, target, length);
    return { problems, needs: "Windows 10", libraries, exported, symbols: [] };
  }
  const facts = readelf(file);
  const { libraries, exported, unversioned: symbols } = facts;
  const floor = glibcFloor(facts);
  const needs = floor === undefined ? `${target.libc}` : `glibc ${floor}`;
  return { problems: checkElf(facts, target, length), needs, libraries, exported, symbols };
}

/**
 * @typedef {object} Made
 * @property {string} name of the target
 * @property {{ name: string, sizeBytes: number, sha256: string, needs: string,
 *   libraries: string[], alsoExported: string[] }} [file] none if it cannot be compiled
 * @property {import("./load.mjs").LoadResult} loaded
 * @property {string[]} problems none if it is as it should be
 * @property {number} seconds
 */

/**
 * @param {Target} target
 * @returns {Omit<Made, "seconds">}
 */
function makeFile(target) {
  const place = path.join(nativeFolder, "prebuilds", fileName(target));
  // Else one of older sources would stay, and be taken for this one.
  rmSync(place, { force: true });
  try {
    compile(target, place);
  } catch (error) {
    // The others are made all the same, so that one run tells of all.
    const loaded = /** @type {const} */ ({ outcome: "skipped", detail: "there is no file" });
    return { name: target.name, loaded, problems: [`${/** @type {Error} */ (error).message}`] };
  }
  const content = readFileSync(place);
  const { problems, needs, libraries, exported, symbols } = inspect(target, place, content);
  for (const found of machinePaths(content, anyPlaces)) problems.push(`holds the path ${found}`);
  const picked = pickedFile(target);
  if (picked !== place) problems.push(`node-gyp-build takes ${picked} instead`);
  const loaded = tryToLoad(target, place, symbols);
  if (loaded.outcome === "failed") problems.push(`cannot be loaded: ${loaded.detail}`);
  const file = {
    name: fileName(target),
    sizeBytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
    ...{ needs, libraries },
    alsoExported: exported.filter((name) => !exportedSymbols.includes(name)),
  };
  return { name: target.name, file, loaded, problems };
}

/**
 * @param {Target} target
 * @returns {Made}
 */
export function make(target) {
  const start = performance.now();
  return { ...makeFile(target), seconds: (performance.now() - start) / 1000 };
}
