// The C++ of the addon under the address and the undefined-behaviour sanitizer:
//
//   npm run test:sanitize                               about a minute and a half on two cores
//   npm run test:sanitize -- --calls 5000000 [--seed 4711]
//   npm run test:sanitize -- --evidence                 writes docs/evidence/sanitizers.md
//
// It builds a copy beside the addon that is in use, runs the addon's own tests on it, then calls
// every exported function with random arguments, with the leak check on; then it plants a fault at
// a time and sees it reported. The last line counts tests, runs and planted faults.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildSanitized, whyNoSanitizers } from "./sanitize/build.mjs";
import { plants } from "./sanitize/plants.mjs";
import { countLine, countsOfRun } from "./vitest-results.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const native = path.join(root, "native");
const cache = path.join(root, "node_modules", ".cache", "sanitize");
/** Where scripts/evidence/write-page.mjs looks. */
const resultsFolder = path.join(root, "test-e2e", "node_modules", ".cache", "results");
/** A planted fault shows within some hundred calls. */
const callsPerPlant = 20_000;

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    calls: { type: "string", default: "60000" },
    // The same every time, so that a failure is one of a change; another explores.
    seed: { type: "string", default: "1" },
    evidence: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);

/**
 * What a process needs to run with a sanitized addon.
 *
 * @param {string} folder
 * @param {{ leaks: boolean }} options
 */
function environment(folder, { leaks }) {
  const runtime = execFileSync("g++", ["-print-file-name=libasan.so"]).toString().trim();
  return {
    ...process.env,
    // node-gyp-build looks there instead of beside the package.
    "@FE/NATIVE_PREBUILD": folder,
    LD_PRELOAD: runtime,
    ASAN_OPTIONS: `detect_leaks=${leaks ? 1 : 0}:abort_on_error=0:exitcode=99`,
    UBSAN_OPTIONS: "halt_on_error=1:print_stacktrace=1:exitcode=99",
  };
}

/**
 * The addon's own tests.
 *
 * @param {string} folder
 */
function runTests(folder) {
  const results = path.join(cache, "tests.json");
  rmSync(results, { force: true });
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const parameters = [vitest, "run", "--pool=forks", "--reporter=default", "--reporter=json"];
  parameters.push(`--outputFile.json=${results}`, "--testTimeout=300000");
  const env = environment(folder, { leaks: false });
  const { status } = spawnSync(process.execPath, parameters, {
    cwd: native,
    stdio: "inherit",
    env,
  });
  return countsOfRun(results, status === 0);
}

/**
 * @param {string} folder
 * @param {number} calls
 */
function runCalls(folder, calls) {
  const script = path.join(root, "scripts", "sanitize", "calls.mjs");
  const addon = path.join(folder, "build", "Release", "fe_native.node");
  const parameters = ["--expose-gc", script, addon, String(seed), String(calls)];
  const env = environment(folder, { leaks: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, out: stdout.trim(), report: stderr };
}

/**
 * The first line of what a sanitizer says.
 *
 * @param {string} report
 */
function headOf(report) {
  const line = report.split("\n").find((each) => /ERROR: |runtime error: /u.test(each)) ?? "";
  return (
    /(?:(?:Address|Leak)Sanitizer: [\w-]+(?: \w+ leaks)?|runtime error: .*)/u.exec(line)?.[0] ?? ""
  );
}

function main() {
  const missing = whyNoSanitizers();
  if (missing !== undefined) {
    const what = "not proven: that no argument reaches memory that is not its own";
    console.log(`Skipped: the addon under sanitizers (${missing}); ${what}`);
    console.log(`\n${countLine({ passed: 0, failed: 0, skipped: 1 })}`);
    return;
  }
  execFileSync(process.execPath, [path.join(root, "scripts", "pnpm.mjs")], { stdio: "inherit" });
  mkdirSync(cache, { recursive: true });
  const folder = path.join(cache, "addon");
  const seconds = buildSanitized(folder);
  console.log(`Built in ${seconds.toFixed(1)} s. Seed ${seed}`);
  const counts = runTests(folder);
  const tests = { ...counts };
  const run = runCalls(folder, Number(values.calls));
  const isClean = run.status === 0;
  counts[isClean ? "passed" : "failed"] += 1;
  console.log(`${isClean ? "ok    " : "FAILED"} random calls: ${run.out}`);
  if (!isClean) console.log(run.report.slice(0, 8000));
  /** @type {{ name: string, head: string }[]} */
  const found = [];
  for (const plant of plants) {
    const planted = path.join(cache, "planted");
    buildSanitized(planted, plant);
    const { report, status } = runCalls(planted, callsPerPlant);
    const head = headOf(report);
    const isFound = status !== 0 && head.includes(plant.says);
    counts[isFound ? "passed" : "failed"] += 1;
    console.log(`${isFound ? "ok    " : "FAILED"} fault planted: ${plant.name}: ${head || status}`);
    found.push({ name: plant.name, head });
  }
  const result = { seed, tests, calls: run.out, found };
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(path.join(resultsFolder, "sanitizers.json"), JSON.stringify(result, undefined, 1));
  if (values.evidence && counts.failed === 0) {
    const script = path.join(root, "scripts", "evidence", "write-page.mjs");
    execFileSync(process.execPath, [script, "sanitizers"], { stdio: "inherit" });
  }
  console.log(`\n${countLine(counts)}`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

main();
