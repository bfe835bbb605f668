// Keeps what a run found, for the page in docs/evidence.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Where scripts/evidence/write-page.mjs looks. */
const folder = path.join(root, "test-e2e", "node_modules", ".cache", "results");

/**
 * @param {readonly import("../fuzz.mjs").Run[]} runs
 * @param {{ seed: number, isPage: boolean }} options `isPage`: writes the page as well
 */
export function writeResults(runs, { seed, isPage }) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "fuzz.json");
  const slim = runs.map(({ name, target, mutant, report }) => {
    const { corpus: _, ...rest } = report;
    return { name, target, isMutant: mutant !== undefined, report: rest };
  });
  const isAnew = new Set(runs.map(({ target }) => target));
  /** @type {typeof slim} */
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).runs : [];
  const all = [...earlier.filter(({ target }) => !isAnew.has(target)), ...slim];
  writeFileSync(file, JSON.stringify({ seed, runs: all }, undefined, 1));
  if (!isPage) return;
  const script = path.join(root, "scripts", "evidence", "write-page.mjs");
  execFileSync(process.execPath, [script, "fuzz"], { stdio: "inherit" });
}
