// Makes the prebuilt file of this machine with its own compiler, by prebuildify. Good for tests,
// and on systems that scripts/prebuilds.mjs cannot build for; it needs this machine's C++ library.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../tools/tools.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const native = path.join(root, "native");
const prebuilds = path.join("prebuilds", `${process.platform}-${process.arch}`);

/** @returns {number} when the sources of the addon were last changed */
function newestSource() {
  const sources = readdirSync(path.join(native, "src")).map((name) => `src/${name}`);
  const times = [...sources, "binding.gyp"].map(
    (name) => statSync(path.join(native, name)).mtimeMs,
  );
  return Math.max(...times);
}

/** @returns {string | undefined} the file that is there and made of the present sources */
function upToDateFile() {
  const folder = path.join(native, prebuilds);
  if (!existsSync(folder)) return undefined;
  const libc = existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const wanted = process.platform === "linux" ? `@fe+native.${libc}.node` : "@fe+native.node";
  const file = path.join(folder, wanted);
  return existsSync(file) && statSync(file).mtimeMs > newestSource() ? file : undefined;
}

/**
 * Does nothing if there is one already, such as from scripts/prebuilds.mjs.
 *
 * @returns {string} the file
 */
export function makePrebuiltFile() {
  const existing = upToDateFile();
  if (existing !== undefined) return existing;
  // In a copy, since prebuildify empties `build`, from which tests may load the addon just now.
  const copy = path.join(cacheFolder, "prebuildify");
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const name of ["binding.gyp", "package.json", "src"]) {
    cpSync(path.join(native, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(native, "node_modules"), path.join(copy, "node_modules"), "junction");
  const prebuildify = path.join(root, "node_modules", "prebuildify", "bin.js");
  const parameters = [prebuildify, "--napi", "--strip", "--tag-libc"];
  // prebuildify looks for node-gyp on PATH.
  const bin = path.join(root, "node_modules", ".bin");
  const prefix = path.resolve(process.execPath, "..", "..");
  const hasHeaders = existsSync(path.join(prefix, "include", "node", "node_api.h"));
  const env = {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    ...(hasHeaders ? { npm_config_nodedir: process.env.npm_config_nodedir ?? prefix } : {}),
  };
  const result = spawnSync(process.execPath, parameters, { cwd: copy, env, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`prebuildify failed:\n${result.stdout}${result.stderr}`);
  cpSync(path.join(copy, prebuilds), path.join(native, prebuilds), { recursive: true });
  rmSync(copy, { recursive: true });
  const made = upToDateFile();
  if (made === undefined) throw new Error(`prebuildify made no file in native/${prebuilds}`);
  return made;
}
