// Runs one of the suites that `npm test` leaves out, on the built packages:
//
//   node scripts/long-suite.mjs crash|power|env|reports|sweep [--long] [--evidence]
//
// `--long`: more states. `--evidence`: writes docs/evidence/DATE-NAME.md from what the run found.
// The last line says how many tests passed, failed and were skipped.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { countLine, printSkips, readCounts } from "./vitest-results.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = path.join(root, "test-e2e", "node_modules", ".cache");
const config = path.join(root, "test-e2e", "long.vitest.config.ts");
/** The package of each suite, and its tests in there. */
const suites = new Map([
  ["crash", { home: "test-e2e", tests: "src/crash/" }],
  ["power", { home: "test-e2e", tests: "src/power/" }],
  ["env", { home: "test-e2e", tests: "src/env/" }],
  ["reports", { home: "test-e2e", tests: "src/reports/long/" }],
  ["sweep", { home: "packages/engine", tests: ".sweep.crash.test.ts" }],
]);

/**
 * @param {string[]} parameters arguments of Node
 * @param {string} cwd
 * @param {Record<string, string>} [environment]
 */
function run(parameters, cwd, environment = {}) {
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, parameters, { cwd, env, stdio: "inherit" }).status === 0;
}

/** @param {string} text */
function endWith(text, succeeded = false) {
  console.log(`\n${text}`);
  process.exitCode = succeeded ? 0 : 1;
}

function main() {
  const [suite = "", ...options] = process.argv.slice(2);
  const place = suites.get(suite);
  if (place === undefined) throw new Error(`Which suite? One of ${[...suites.keys()].join(", ")}`);
  const home = path.join(root, place.home);
  if (!run(["scripts/pnpm.mjs", "run", "build"], root)) {
    console.log("The build failed");
    endWith(countLine({ passed: 0, failed: 1, skipped: 0 }));
    return;
  }
  const results = path.join(cache, `${suite}-tests.json`);
  const skips = path.join(cache, `${suite}-skips.jsonl`);
  mkdirSync(cache, { recursive: true });
  const found = path.join(cache, "results", `${suite}.json`);
  for (const file of [results, skips, found]) rmSync(file, { force: true });
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const environment = {
    FE_SUITE: suite,
    FE_SUITE_RESULTS: results,
    FE_SUITE_SKIPS: skips,
    ...(options.includes("--long") ? { FE_SUITE_LONG: "1" } : {}),
  };
  const where = ["--config", config, "--root", home];
  const succeeded = run([vitest, "run", ...where, place.tests], home, environment);
  // What a test process that was killed could not let go of.
  if (suite === "power") run(["src/power/leftovers.mjs"], home);
  const counts = readCounts(results);
  if (counts === undefined || counts.passed + counts.failed + counts.skipped === 0) {
    console.log("No test ran");
    endWith(countLine({ passed: 0, failed: 1, skipped: 0 }));
    return;
  }
  printSkips(skips, root);
  let failed = counts.failed;
  // For example an error that was thrown after the last test had ended.
  if (!succeeded && failed === 0) failed = 1;
  if (options.includes("--evidence") && failed === 0) {
    if (!run(["scripts/evidence/write-page.mjs", suite], root)) failed = 1;
  }
  endWith(countLine({ ...counts, failed }), failed === 0);
}

main();
