// Writes docs/evidence/DATE-NAME.md from what the last run of a long suite found; of the suites
// that take a minute, docs/evidence/NAME.md.
//
//   node write-page.mjs crash|power|fuzz|sanitizers|windows-under-wine|prebuilt-files
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, release } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { crashPage } from "./crash-page.mjs";
import { fuzzPage } from "./fuzz-page.mjs";
import { powerPage } from "./power-page.mjs";
import { prebuildsPage } from "./prebuilds-page.mjs";
import { readResults } from "./results.mjs";
import { sanitizersPage } from "./sanitizers-page.mjs";
import { windowsPage } from "./windows-page.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * What a page says of the machine.
 *
 * @typedef {object} Surroundings
 * @property {readonly string[]} machine
 * @property {(command: string, ...parameters: string[]) => string} versionOf
 * @property {(place: string) => string} filesystemOf type and mount options
 */

/** @type {Readonly<Record<string, (found: any, around: Surroundings) => string>>} */
const pages = {
  crash: crashPage,
  power: powerPage,
  fuzz: fuzzPage,
  sanitizers: sanitizersPage,
  "windows-under-wine": windowsPage,
  "prebuilt-files": prebuildsPage,
};
/** Those that are made anew at every change, and so have no date. */
const undated = ["fuzz", "sanitizers", "windows-under-wine", "prebuilt-files"];

/**
 * What a tool prints on its first line, such as its version.
 *
 * @param {string} command
 * @param {string[]} parameters
 */
function versionOf(command, ...parameters) {
  try {
    const text = execFileSync(command, parameters, { stdio: ["ignore", "pipe", "pipe"] });
    return (text.toString().split("\n")[0] ?? "").trim();
  } catch {
    return `${command}: not here`;
  }
}

/** @param {string} place */
function filesystemOf(place) {
  const columns = ["--noheadings", "--output", "FSTYPE,OPTIONS"];
  const [type, options] = versionOf("findmnt", ...columns, "--target", place).split(/\s+/u);
  return `${type} (${options})`;
}

const name = process.argv[2] ?? "";
const page = pages[name];
if (page === undefined) throw new Error(`Which page? One of ${Object.keys(pages).join(", ")}`);
const found = readResults(name);
if (found === undefined) throw new Error(`No run of ${name} has left its results`);
const machine = [
  `${cpus().length} cores (${cpus()[0]?.model.trim()})`,
  `Linux ${release()}`,
  `Node ${process.versions.node}`,
];
const text = page(found, { machine, versionOf, filesystemOf });
const date = new Date().toISOString().slice(0, 10);
const title = undated.includes(name) ? name : `${date}-${name}`;
const file = path.join(root, "docs", "evidence", `${title}.md`);
writeFileSync(file, text);
console.log(`Wrote ${path.relative(root, file)}`);
if (name === "crash" || name === "power") {
  const table = path.join(root, "scripts", "evidence", "mutants-page.mjs");
  execFileSync(process.execPath, [table, "--take", name], { stdio: "inherit" });
}
