// Runs the tests of all packages, those with real processes included, in other versions of Node:
// the oldest that the packages take, and the last of each newer line with long-term support. The
// versions come from npm; scripts/tools/node-versions/package.json names them.
//
//   npm run test:nodes              all
//   npm run test:nodes -- 22 24     those that begin so
//
// Build and addon are those of the Node that runs this. The last line says how many tests passed,
// failed and were skipped, in all versions together.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder, installTool } from "./tools/tools.mjs";
import { countLine, countsOfRun, printSkips } from "./vitest-results.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const resultsFile = path.join(cacheFolder, "vitest.json");
const skipsFile = path.join(cacheFolder, "vitest-skips.jsonl");

/** @returns {{ version: string, folder: string }[]} `folder` is to stand first in PATH */
function installNodes() {
  const modules = installTool("node-versions");
  const list = path.join(root, "scripts", "tools", "node-versions", "package.json");
  const names = Object.keys(JSON.parse(readFileSync(list, "utf8")).dependencies);
  return names.map((name) => {
    const { version } = JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
    return { version, folder: path.join(modules, name, "bin") };
  });
}

/** @param {string} folder */
function runTests(folder) {
  for (const file of [resultsFile, skipsFile]) rmSync(file, { force: true });
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const parameters = [vitest, "run", "--config", "vitest.all.config.ts"];
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { status } = spawnSync(
    path.join(folder, "node"),
    [...parameters, "--exclude", "**/*.sweep.crash.test.ts"],
    { cwd: root, env, stdio: "inherit" },
  );
  return countsOfRun(resultsFile, status === 0);
}

function main() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    console.log("Skipped: the other versions of Node (they are for Linux on x64)");
    console.log(`\n${countLine({ passed: 0, failed: 0, skipped: 1 })}`);
    return;
  }
  const pnpm = path.join(root, "scripts", "pnpm.mjs");
  const { status } = spawnSync(process.execPath, [pnpm, "run", "build"], { stdio: "inherit" });
  if (status !== 0) throw new Error("The build failed");
  const wanted = process.argv.slice(2);
  const isWanted = (/** @type {string} */ version) =>
    wanted.length === 0 || wanted.some((start) => `${version}.`.startsWith(`${start}.`));
  const nodes = installNodes().filter(({ version }) => isWanted(version));
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  for (const { version, folder } of nodes) {
    console.log(`\nNode ${version}`);
    const counts = runTests(folder);
    printSkips(skipsFile, root);
    for (const name of /** @type {const} */ (["passed", "failed", "skipped"])) {
      sum[name] += counts[name];
    }
    lines.push(`Node ${version}: ${countLine(counts)}`);
  }
  if (nodes.length === 0) throw new Error(`No version begins with ${wanted.join(" or ")}`);
  console.log(`\n${lines.join("\n")}\n\n${countLine(sum)}`);
  if (sum.failed > 0) process.exitCode = 1;
}

try {
  main();
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  console.log(`\n${countLine({ passed: 0, failed: 1, skipped: 0 })}`);
  process.exitCode = 1;
}
