// Runs pnpm at the version pinned in package.json, with the dependencies installed first. It needs
// only Node and npm, so that one command works on a fresh clone:
//
//   node scripts/pnpm.mjs start ARGUMENTS…   builds quietly, then runs the fe command
//   node scripts/pnpm.mjs ARGUMENTS…         runs pnpm with these arguments
//
// Only what was asked for writes to stdout; the install and the build write to stderr.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { firstRunTeller } from "./first-run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const onWindows = process.platform === "win32";
const { packageManager } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** The pin may end in `+sha512.…`, which npx does not want. */
const pinnedVersion = String(packageManager).split("@")[1]?.split("+")[0] ?? "";

const environment = { ...process.env };
// turbo looks up its telemetry host at every run that is not cached.
environment.TURBO_TELEMETRY_DISABLED ??= "1";
// Compile the addon against the headers that came with this Node; node-gyp would download them.
const nodePrefix = path.resolve(process.execPath, "..", "..");
if (existsSync(path.join(nodePrefix, "include", "node", "node_api.h"))) {
  environment.npm_config_nodedir ??= nodePrefix;
}

/**
 * @param {string} command
 * @param {string[]} parameters
 */
function answers(command, parameters) {
  return spawnSync(command, parameters, { stdio: "ignore", timeout: 20_000 }).status === 0;
}

/**
 * What the addon's build needs and this machine lacks, one line each.
 *
 * @returns {string[]}
 */
function missingTools() {
  // On Windows node-gyp looks for Visual Studio and Python itself, in places that are not on PATH.
  if (onWindows) return [];
  const lines = [];
  const compilers = environment.CXX ? [environment.CXX] : ["g++", "clang++", "c++"];
  const asCxx20 = ["-std=c++20", "-fsyntax-only", "-x", "c++", "/dev/null"];
  // CXX may carry arguments (`ccache g++`), as make allows.
  const compiles = compilers.some((compiler) => {
    const [command = "", ...rest] = compiler.trim().split(/\s+/u);
    return answers(command, [...rest, ...asCxx20]);
  });
  if (!compiles) lines.push("a C++ compiler that knows C++20 (g++ 10 or clang++ 12, or newer)");
  if (!answers(environment.MAKE ?? "make", ["--version"])) lines.push("make");
  const pythons = [environment.npm_config_python, environment.PYTHON, "python3", "python"];
  const isNewEnough = "import sys; sys.exit(sys.version_info < (3, 8))";
  if (!pythons.some((python) => python && answers(python, ["-c", isNewEnough]))) {
    lines.push("python3 (3.8 or newer)");
  }
  return lines;
}

const isAddonBuilt = () =>
  existsSync(path.join(root, "native", "build", "Release", "fe_native.node"));

function requireTools() {
  // A built addon shows that the tools were there; looking again would only cost time.
  if (isAddonBuilt()) return;
  const missing = missingTools();
  if (missing.length === 0) return;
  process.stderr.write(
    [
      "fe builds a native addon, and this machine lacks:",
      ...missing.map((line) => `  - ${line}`),
      "To get them:",
      "  Debian, Ubuntu   apt-get install g++ make python3",
      "  Fedora           dnf install gcc-c++ make python3",
      "  Alpine           apk add g++ make python3",
      "  macOS            xcode-select --install",
      "",
    ].join("\n"),
  );
  process.exit(1);
}

/**
 * @param {import("node:child_process").SpawnSyncReturns<unknown>} result
 * @returns {number} the exit code, as a shell would give it
 */
function exitCode(result) {
  if (result.error) throw result.error;
  if (result.signal) return 128 + constants.signals[result.signal];
  return result.status ?? 1;
}

/**
 * @param {string[]} parameters
 * @param {import("node:child_process").StdioOptions} stdio
 */
function spawnPnpm(parameters, stdio) {
  const options = { cwd: root, env: environment, shell: onWindows };
  const onPath = spawnSync("pnpm", ["--version"], { ...options, encoding: "utf8" });
  const isPinned = onPath.status === 0 && onPath.stdout.trim() === pinnedVersion;
  const [command, prefix] = isPinned
    ? ["pnpm", []]
    : ["npx", ["--yes", "--loglevel=error", `pnpm@${pinnedVersion}`]];
  return spawnSync(command, [...prefix, ...parameters], { ...options, stdio });
}

/**
 * Runs pnpm and says nothing unless that fails, so that stdout stays free for the command.
 *
 * @param {string[]} parameters
 */
function quietly(parameters) {
  const result = spawnPnpm(parameters, ["ignore", "pipe", "pipe"]);
  const status = exitCode(result);
  if (status === 0) return;
  process.stderr.write(result.stdout);
  process.stderr.write(result.stderr);
  process.exit(status);
}

/** Installs unless the last install here was of the same lockfile and the same Node. */
function install() {
  const lockfile = readFileSync(path.join(root, "pnpm-lock.yaml"));
  const state = createHash("sha256").update(lockfile).update(process.version).digest("hex");
  const stateFile = path.join(root, "node_modules", ".fe-installed");
  if (existsSync(stateFile) && readFileSync(stateFile, "utf8") === state) return;
  teller.installing();
  // .npmrc silences npm, and pnpm reads it too.
  quietly(["install", "--frozen-lockfile", "--loglevel=info", "--reporter=append-only"]);
  writeFileSync(stateFile, state);
}

/** @param {string[]} parameters */
function startCommand(parameters) {
  const command = path.join(root, "packages", "cli", "bin", "fe.js");
  // npm moves to the root before it runs a script, and says in INIT_CWD where the user stood.
  const calledByNpm = path.relative(root, process.cwd()) === "";
  const cwd = (calledByNpm && process.env.INIT_CWD) || process.cwd();
  const child = spawn(process.execPath, [command, ...parameters], { cwd, stdio: "inherit" });
  // A terminal sends SIGINT to both, anything else only to this process. The command decides what
  // the signal means, and its exit code is passed on.
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !hasTerminal) child.kill(signal);
    });
  }
  child.on("exit", (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
  });
}

const [first, ...rest] = process.argv.slice(2);
const teller = firstRunTeller({
  argv: first === "start" ? rest : [],
  isTerminal: first === "start" && process.stderr.isTTY === true,
  nowMs: () => performance.now(),
  write: (text) => void process.stderr.write(text),
});
requireTools();
install();
if (first === "start") {
  teller.building(!isAddonBuilt());
  quietly(["exec", "turbo", "run", "build", "--filter=@fe/cli...", "--output-logs=errors-only"]);
  teller.done();
  startCommand(rest);
} else if (first !== undefined) {
  process.exit(exitCode(spawnPnpm([first, ...rest], "inherit")));
}
