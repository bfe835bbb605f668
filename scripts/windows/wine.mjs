// Runs a program of Windows under Wine, in a prefix of its own that is kept between runs.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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
  // Names of files are bytes of this.
  LC_ALL: "C.UTF-8",
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
 * @returns {Promise<number | null>} the exit code
 */
async function run(command, parameters, { cwd, log = "/dev/null", timeoutMs = 120_000 } = {}) {
  // Node for Windows cannot start with a pipe of Linux as its output.
  const output = openSync(log, "w");
  try {
    const stdio = /** @type {const} */ (["ignore", output, output]);
    const options = { cwd, env: environment, stdio: [...stdio], timeout: timeoutMs };
    const child = spawn(command, parameters, options);
    const [exit] = await once(child, "close");
    return exit;
  } finally {
    closeSync(output);
  }
}

/** What an earlier run left in the folder for temporary files. */
function clearTemporaryFiles() {
  const users = path.join(prefix, "drive_c", "users");
  for (const user of readdirSync(users)) {
    const folder = path.join(users, user, "Temp");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names.filter((each) => each.startsWith("fe-"))) {
      rmSync(path.join(folder, name), { recursive: true });
    }
  }
}

/** Makes the prefix if there is none; it takes ten seconds. */
export async function prepareWine() {
  // Wine makes access lists out of modes. So what is made is the user's alone, as it is in a
  // profile of Windows, where files inherit that.
  process.umask(0o077);
  if (!existsSync(ready)) {
    mkdirSync(prefix, { recursive: true });
    await run("wineboot", ["-i"]);
    // Debian's Wine says it is Windows 7, on which Node does not start.
    await run("wine", ["winecfg", "-v", "win10"]);
    await run("wineserver", ["-w"]);
    writeFileSync(ready, "");
  }
  clearTemporaryFiles();
}

/**
 * @param {readonly string[]} command
 * @param {{ cwd: string, log: string, timeoutMs: number }} options `log`: a file for the output
 * @returns {Promise<{ status: number | null, output: string }>}
 */
export async function runInWine(command, options) {
  const status = await run("wine", command, options);
  return { status, output: readFileSync(options.log, "utf8").replaceAll("\r", "") };
}

/** Ends what still runs in the prefix. */
export function endWine() {
  spawnSync("wineserver", ["-k"], { env: environment });
}
