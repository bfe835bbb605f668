// Installs a tool that only one script needs, when that script is run: the compiler of the prebuilt
// files alone is 350 MB, and `npm test` must not wait for it. Each folder beside this file names a
// tool by exact version and checksum; it is put into node_modules/.cache, and no script of it runs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = path.join(here, "..", "..");

/** What scripts keep between two runs. */
export const cacheFolder = path.join(root, "node_modules", ".cache");

/**
 * @param {"zig" | "package-checks" | "node-arm64" | "node-windows" | "node-versions"} name
 *   a folder beside this file
 * @returns {string} the folder `node_modules` in which the tool now is
 */
export function installTool(name) {
  const source = path.join(here, name);
  const folder = path.join(cacheFolder, "tools", name);
  const lockfile = readFileSync(path.join(source, "package-lock.json"));
  const state = createHash("sha256").update(lockfile).digest("hex");
  const stateFile = path.join(folder, ".installed");
  const modules = path.join(folder, "node_modules");
  if (existsSync(stateFile) && readFileSync(stateFile, "utf8") === state) return modules;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  console.log(`Installing ${name}`);
  const parameters = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const shell = process.platform === "win32";
  const result = spawnSync("npm", parameters, { cwd: folder, encoding: "utf8", shell });
  if (result.status !== 0) {
    throw new Error(`${name} cannot be installed: ${result.error?.message ?? result.stderr}`);
  }
  writeFileSync(stateFile, state);
  return modules;
}
