// What `npm test` runs: build, types, lint, tidy, documents, then the tests of all packages. The
// last line says how many tests passed, failed and were skipped; a part that is not a test and
// fails counts as one failed, and is named.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { countLine, printSkips, readCounts } from "./vitest-results.mjs";

/** @typedef {import("./vitest-results.mjs").TestCounts} TestCounts */

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = path.join(root, "node_modules", ".cache");
const resultsFile = path.join(cache, "vitest.json");
const skipsFile = path.join(cache, "vitest-skips.jsonl");

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string[][]} commands each is arguments of Node
 * @property {boolean} [needsBuild] it runs the command
 * @property {boolean} [hasNotices] what it prints is worth reading even if it succeeds
 */

/** @type {Part} With no arguments, the script only installs. */
const install = { name: "install", commands: [["scripts/pnpm.mjs"]] };
/** @type {Part} */
const build = {
  name: "build",
  commands: [["scripts/pnpm.mjs", "exec", "turbo", "run", "build", "--output-logs=errors-only"]],
};
const tsc = "node_modules/typescript/bin/tsc";
/** They run at the same time, beside the build where they do not need it. */
const checks = /** @type {Part[]} */ ([
  {
    name: "types",
    commands: [
      [tsc, "-b"],
      [tsc, "-p", "tsconfig.test.json"],
    ],
  },
  { name: "lint", commands: [["node_modules/@biomejs/biome/bin/biome", "check", "."]] },
  { name: "unused", commands: [["node_modules/knip/bin/knip.js"]] },
  { name: "tidy", commands: [["scripts/tidy.mjs"]] },
  { name: "docs", commands: [["scripts/check-docs.mjs"]], needsBuild: true, hasNotices: true },
  { name: "errors", commands: [["scripts/check-errors.mjs"]], hasNotices: true },
  { name: "traceability", commands: [["scripts/traceability.mjs", "--check"]] },
  { name: "reports", commands: [["scripts/reports.mjs", "--check"]] },
  { name: "mutants", commands: [["scripts/evidence/mutants-page.mjs", "--check"]] },
  { name: "version", commands: [["scripts/engine-version.mjs", "--check"]] },
]);

/**
 * @param {string[]} parameters
 * @param {"inherit" | "pipe"} output
 * @returns {Promise<{ succeeded: boolean, text: string }>}
 */
function runNode(parameters, output) {
  return new Promise((resolve) => {
    const stdio = /** @type {const} */ (["ignore", output, output]);
    const child = spawn(process.execPath, parameters, { cwd: root, stdio: [...stdio] });
    /** @type {Buffer[]} */
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => chunks.push(chunk));
    }
    child.on("error", (error) => resolve({ succeeded: false, text: `${error.message}\n` }));
    child.on("close", (code) => {
      resolve({ succeeded: code === 0, text: Buffer.concat(chunks).toString() });
    });
  });
}

/**
 * @param {Part} part
 * @returns {Promise<boolean>}
 */
async function runPart({ name, commands, hasNotices = false }) {
  const start = performance.now();
  let succeeded = true;
  let text = "";
  for (const parameters of commands) {
    const result = await runNode(parameters, "pipe");
    succeeded &&= result.succeeded;
    text += result.text;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${succeeded ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if ((hasNotices || !succeeded) && text !== "") console.log(text.trimEnd());
  return succeeded;
}

/** @returns {Promise<{ counts: TestCounts, failedParts: string[] }>} */
async function runTests() {
  mkdirSync(cache, { recursive: true });
  for (const file of [resultsFile, skipsFile]) rmSync(file, { force: true });
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.all.config.ts"];
  const { succeeded } = await runNode(vitest, "inherit");
  const counts = readCounts(resultsFile);
  if (counts === undefined) {
    return { counts: { passed: 0, failed: 0, skipped: 0 }, failedParts: ["tests (no results)"] };
  }
  printSkips(skipsFile, root);
  if (process.platform !== "linux") {
    console.log("Left out: *.linux.test.ts, which are about what Linux alone has");
  }
  const failedParts = [];
  if (counts.passed + counts.failed === 0) failedParts.push("tests (none ran)");
  // For example an error that was thrown after the last test had ended.
  else if (!succeeded && counts.failed === 0) failedParts.push("tests (an error outside of them)");
  return { counts, failedParts };
}

/**
 * @param {TestCounts} counts
 * @param {string[]} failedParts
 */
function report({ passed, failed, skipped }, failedParts) {
  const allFailed = failed + failedParts.length;
  if (failedParts.length > 0) console.log(`\nFailed beside the tests: ${failedParts.join(", ")}`);
  console.log(`\n${countLine({ passed, failed: allFailed, skipped })}`);
  process.exitCode = allFailed === 0 ? 0 : 1;
}

async function main() {
  if (!(await runPart(install))) {
    report({ passed: 0, failed: 0, skipped: 0 }, [install.name]);
    return;
  }
  // The build waits for one package after the other, and leaves a core free.
  const building = runPart(build);
  const areGood = await Promise.all(
    checks.map(async (part) => {
      if (part.needsBuild === true) await building;
      return runPart(part);
    }),
  );
  const isBuilt = await building;
  const tests = await runTests();
  report(tests.counts, [
    ...(isBuilt ? [] : [build.name]),
    ...checks.filter((_, index) => !areGood[index]).map(({ name }) => name),
    ...tests.failedParts,
  ]);
}

await main();
