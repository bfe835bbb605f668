// Runs a program of Windows under Wine, in a prefix of its own that is kept between runs.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheFolder } from "../tools/tools.mjs";

const prefix = path.join(cacheFolder, "wine");
const ready = path.join(prefix, ".ready");

/** Beside what is inherited. Without a display, and without being asked for Mono and Gecko. */
const environment = {
  ...process.env,
  WINEPREFIX: prefix,
  WINEARCH: "win64",
  WINEDEBUG: "-all",
  WINEDLLOVERRIDES: "mscoree=;mshtml=;winemenubuilder.exe=",
  DISPLAY: undefined,
  WAYLAND_DISPLAY: undefined,
};

/** @returns {string | undefined} Wine's version; `undefined` if it is not installed */
export function wineVersion() {
  const { stdout, status } = spawnSync("wine", ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** How a program of Windows names a file here. @param {string} file absolute */
export function windowsPath(file) {
  return `Z:${file.replaceAll("/", "\\")}`;
}

/**
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ cwd?: string, log?: string, timeoutMs?: number }} [options] `log`: takes the output
 */
function run(command, parameters, { cwd, log = "/dev/null", timeoutMs = 120_000 } = {}) {
  // Node for Windows cannot start with a pipe of Linux as its output.
  const output = openSync(log, "w");
  try {
    const stdio = /** @type {const} */ (["ignore", output, output]);
    const options = { cwd, env: environment, stdio: [...stdio], timeout: timeoutMs };
    const result = spawnSync(command, parameters, options);
    if (result.error) throw result.error;
    return result;
  } finally {
    closeSync(output);
  }
}

/** Makes the prefix if there is none; it takes ten seconds. */
export function prepareWine() {
  if (existsSync(ready)) return;
  mkdirSync(prefix, { recursive: true });
  run("wineboot", ["-i"]);
  // Debian's Wine says it is Windows 7, on which Node does not start.
  run("wine", ["winecfg", "-v", "win10"]);
  run("wineserver", ["-w"]);
  writeFileSync(ready, "");
}

/**
 * @param {readonly string[]} command
 * @param {{ cwd: string, timeoutMs: number }} options
 * @returns {{ status: number | null, output: string }}
 */
export function runInWine(command, { cwd, timeoutMs }) {
  const log = path.join(cwd, "output.txt");
  const { status } = run("wine", command, { cwd, log, timeoutMs });
  return { status, output: readFileSync(log, "utf8").replaceAll("\r", "") };
}

/** Ends what still runs in the prefix. */
export function endWine() {
  spawnSync("wineserver", ["-k"], { env: environment });
}
