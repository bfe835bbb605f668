// Packs the public packages and tests them as their consumers meet them: installed into a folder
// outside of this repository, by npm and by pnpm, with install scripts off and no compiler.
//
//   npm run test:package
//
// The last line says how many tests passed, failed and were skipped. Needs the network, or what npm
// and pnpm keep of earlier runs.
import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { layPages } from "./docs/package-pages.mjs";
import { keepResults, readResults } from "./evidence/results.mjs";
import { makePrebuiltFile } from "./prebuilt/prebuildify.mjs";
import { cacheFolder, installTool } from "./tools/tools.mjs";
import { countLine, countsOfRun, printSkips } from "./vitest-results.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = path.join(cacheFolder, "packages");
const tarballs = path.join(home, "tarballs");

/**
 * @param {string[]} parameters of Node
 * @param {{ cwd?: string, env?: Record<string, string>, output?: "inherit" | "pipe" }} [options]
 * @returns {string} what it printed, if that was piped
 */
function runNode(parameters, { cwd = root, env = {}, output = "pipe" } = {}) {
  const stdio = /** @type {const} */ (["ignore", output, output === "pipe" ? "pipe" : "inherit"]);
  const result = spawnSync(process.execPath, parameters, {
    ...{ cwd, env: { ...process.env, ...env }, encoding: /** @type {const} */ ("utf8") },
    stdio: [...stdio],
  });
  if (result.status === 0) return result.stdout ?? "";
  const text = output === "pipe" ? `:\n${result.stdout}${result.stderr}` : "";
  throw new Error(`node ${parameters.join(" ")} failed${text}`);
}

/** Where the pinned pnpm is, whose own start needs more than the consumers' PATH holds. */
function findPnpm() {
  const find = ["scripts/pnpm.mjs", "exec", "sh", "-c", "command -v pnpm"];
  return realpathSync(runNode(find).trim());
}

/** @param {string} pnpm */
function packAll(pnpm) {
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs, { recursive: true });
  for (const folder of ["native", ...["journal", "reconcile", "engine", "cli", "mcp"].map(below)]) {
    // As `prepack`, without building anew what is built already.
    layPages(path.join(root, folder));
    const pack = ["pack", "--config.ignore-scripts=true", "--pack-destination", tarballs];
    runNode([pnpm, ...pack], { cwd: path.join(root, folder) });
  }
}

/** @param {string} name */
function below(name) {
  return `packages/${name}`;
}

/** @returns {boolean} whether no test failed */
function runTests() {
  const results = path.join(home, "results.json");
  const skips = path.join(home, "skips.jsonl");
  for (const file of [results, skips]) rmSync(file, { force: true });
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const env = {
    FE_TARBALLS: tarballs,
    FE_PNPM: findPnpm(),
    FE_PACKAGE_CHECKS: installTool("package-checks"),
    FE_PACKAGE_RESULTS: results,
    FE_PACKAGE_SKIPS: skips,
  };
  packAll(env.FE_PNPM);
  // The tests add to it.
  keepResults("packages", {});
  const parameters = [vitest, "run", "--config", "packages.vitest.config.ts"];
  let succeeded = true;
  try {
    runNode(parameters, { cwd: path.join(root, "test-e2e"), env, output: "inherit" });
  } catch {
    succeeded = false;
  }
  const counts = countsOfRun(results, succeeded);
  printSkips(skips, root);
  const npm = spawnSync("npm", ["--version"], {
    encoding: "utf8",
    shell: process.platform === "win32",
  }).stdout.trim();
  keepResults("packages", { ...readResults("packages"), counts, npm });
  console.log(`\n${countLine(counts)}`);
  return counts.failed === 0;
}

function main() {
  try {
    runNode(["scripts/pnpm.mjs", "run", "build"], { output: "inherit" });
    console.log(`Prebuilt: ${makePrebuiltFile()}`);
    if (!runTests()) process.exitCode = 1;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    console.log(`\n${countLine({ passed: 0, failed: 1, skipped: 0 })}`);
    process.exitCode = 1;
  }
}

main();
