// Builds, then measures: `npm run bench`, and `npm run bench -- --short` for less of everything;
// `--write` also puts the numbers into the pages of the project.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @param {string[]} parameters of pnpm */
function runPnpm(...parameters) {
  const command = ["scripts/pnpm.mjs", ...parameters];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

runPnpm("exec", "turbo", "run", "build", "--output-logs=errors-only");
runPnpm("--filter", "./bench", "run", "bench", ...process.argv.slice(2));
