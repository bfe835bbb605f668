// Builds a copy of the addon with sanitizers, in a folder of its own, so that the one in use stays.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const native = path.join(root, "native");

/** @returns {string | undefined} why there is nothing to build with */
export function whyNoSanitizers() {
  if (process.platform !== "linux") return "needs Linux";
  const folder = mkdtempSync(path.join(os.tmpdir(), "fe-sanitize-"));
  try {
    const source = path.join(folder, "a.cc");
    writeFileSync(source, "int main() { return 0; }\n");
    const flags = ["-fsanitize=address,undefined", source, "-o", path.join(folder, "a")];
    const { status, error } = spawnSync("g++", flags);
    if (error !== undefined) return "there is no g++";
    if (status !== 0) return "g++ has no sanitizers here";
    const { status: ran } = spawnSync(path.join(folder, "a"));
    return ran === 0 ? undefined : "a sanitized program does not start here";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Copies what has changed, so that make builds no more than that.
 *
 * @param {string} folder
 * @param {import("./plants.mjs").Plant | undefined} plant
 */
function copySources(folder, plant) {
  mkdirSync(path.join(folder, "src"), { recursive: true });
  const sources = readdirSync(path.join(native, "src")).map((name) => `src/${name}`);
  for (const name of ["binding.gyp", "package.json", ...sources]) {
    let text = readFileSync(path.join(native, name), "utf8");
    if (plant !== undefined && name === plant.file) {
      const parts = text.split(plant.find);
      if (parts.length !== 2) {
        throw new Error(`"${plant.find}" stands ${parts.length - 1} times in ${name}`);
      }
      text = parts.join(plant.replace);
    }
    const copy = path.join(folder, name);
    if (!existsSync(copy) || readFileSync(copy, "utf8") !== text) writeFileSync(copy, text);
  }
  const modules = path.join(folder, "node_modules");
  if (!existsSync(modules)) symlinkSync(path.join(native, "node_modules"), modules);
}

/**
 * @param {string} folder
 * @param {import("./plants.mjs").Plant} [plant] a fault to be planted
 * @returns {number} seconds
 */
export function buildSanitized(folder, plant) {
  const start = performance.now();
  const sound = path.join(path.dirname(folder), "addon");
  if (plant !== undefined && !existsSync(folder)) {
    // The objects too, so that only the file with the fault is compiled.
    cpSync(sound, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }
  copySources(folder, plant);
  const gyp = path.join(root, "node_modules", "node-gyp", "bin", "node-gyp.js");
  const jobs = `--jobs=${os.availableParallelism()}`;
  const options = ["--", "-Dsanitize=address,undefined"];
  // The headers of this Node, where it came with them; else node-gyp fetches them.
  const prefix = path.resolve(process.execPath, "..", "..");
  const hasHeaders = existsSync(path.join(prefix, "include", "node", "node_api.h"));
  const env = { ...process.env, ...(hasHeaders ? { npm_config_nodedir: prefix } : {}) };
  for (const step of [
    ["configure", "--silent", ...options],
    ["build", "--silent", jobs],
  ]) {
    execFileSync(process.execPath, [gyp, ...step], { cwd: folder, env, stdio: "pipe" });
  }
  return (performance.now() - start) / 1000;
}
