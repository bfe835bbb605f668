// Compiles the addon for one target with zig, whose C++ compiler brings the headers and libraries
// of every system along. zig's own C++ library is linked in, so the file needs none of the system.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder, installTool } from "../tools/tools.mjs";
import { readBuildPlan } from "./gyp.mjs";
import { hostFunctionsSource } from "./host-functions.mjs";

/** @typedef {import("./targets.mjs").Target} Target */

const root = fileURLToPath(new URL("../..", import.meta.url));
export const nativeFolder = path.join(root, "native");
const exportsMap = fileURLToPath(new URL("./exports.map", import.meta.url));

/**
 * Runs the compiler with `native` as working directory. It keeps the C++ library that it compiled
 * for a target, so only the first run takes minutes.
 *
 * @param {"cc" | "c++"} language
 * @param {readonly string[]} parameters
 */
export function runZig(language, parameters) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("The cross compiler is for linux-x64 only; elsewhere run prebuildify");
  }
  const zig = path.join(installTool("zig"), "@ryoppippi", "zig-linux-x64", "zig");
  const cache = path.join(cacheFolder, "zig");
  const env = { ...process.env, ZIG_GLOBAL_CACHE_DIR: cache, ZIG_LOCAL_CACHE_DIR: cache };
  const options = /** @type {const} */ ({ cwd: nativeFolder, env, encoding: "utf8" });
  const result = spawnSync(zig, [language, ...parameters], options);
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`zig ${language} failed:\n${result.stderr}`);
}

/**
 * The flags that node-gyp takes from Node and from node-addon-api, not from binding.gyp.
 *
 * @param {import("./gyp.mjs").BuildPlan} plan
 */
function flagsOfNode(plan) {
  const [dependency = "", ...others] = plan.dependencies;
  if (others.length > 0 || !dependency.endsWith(":node_addon_api_except")) {
    throw new Error(`binding.gyp: expected node_addon_api_except, found ${plan.dependencies}`);
  }
  const requireOfNative = createRequire(path.join(nativeFolder, "package.json"));
  const addonApi = path.dirname(requireOfNative.resolve("node-addon-api/package.json"));
  return [
    "-DNAPI_CPP_EXCEPTIONS",
    "-fexceptions",
    "-fno-rtti",
    "-fno-strict-aliasing",
    `-DNODE_GYP_MODULE_NAME=${plan.name}`,
    "-DBUILDING_NODE_EXTENSION",
    `-I${path.join(installTool("zig"), "node-api-headers", "include")}`,
    `-I${addonApi}`,
  ];
}

/**
 * @typedef {object} SystemFlags
 * @property {readonly string[]} compiler
 * @property {readonly string[]} linker only the entry is to be seen, where the rest can be hidden
 * @property {readonly string[]} sources beside those of binding.gyp
 */

/** @type {SystemFlags} */
const linuxFlags = {
  compiler: ["-fPIC"],
  linker: [`-Wl,--version-script=${exportsMap}`],
  sources: [],
};

/**
 * Node's functions are left to be found in the process. Without a name of its own the file would be
 * called by the path to which it is written.
 *
 * @type {SystemFlags}
 */
const macFlags = {
  compiler: ["-fPIC"],
  linker: ["-Wl,-undefined,dynamic_lookup", "-Wl,-install_name,@fe+native.node"],
  sources: [],
};

/** @returns {SystemFlags} */
function windowsFlags() {
  const headers = path.join(installTool("zig"), "node-api-headers");
  const source = path.join(cacheFolder, "host-functions.c");
  const definitions = ["node_api.def", "js_native_api.def"].map((name) =>
    readFileSync(path.join(headers, "def", name), "utf8"),
  );
  writeFileSync(source, hostFunctionsSource(definitions));
  const object = path.join(cacheFolder, "host-functions.o");
  runZig("cc", ["-target", "x86_64-windows-gnu", "-O2", "-c", source, "-o", object]);
  // Neither imported nor exported: the functions are those of host-functions.mjs.
  return { compiler: ["-DNAPI_EXTERN="], linker: [], sources: [object] };
}

/**
 * @param {Target} target
 * @param {string} file where the result is put
 */
export function compile(target, file) {
  const text = readFileSync(path.join(nativeFolder, "binding.gyp"), "utf8");
  const plan = readBuildPlan(text, target.system);
  // Elsewhere first: beside a file for Windows the linker leaves another, which nobody needs.
  const result = path.join(cacheFolder, "prebuilt", target.name, path.basename(file));
  for (const place of [result, file]) mkdirSync(path.dirname(place), { recursive: true });
  const system = { linux: () => linuxFlags, mac: () => macFlags, win: windowsFlags }[
    target.system
  ]();
  runZig("c++", [
    ...["-target", target.triple, "-shared", "-O2", "-s"],
    ...system.compiler,
    ...plan.flags,
    ...plan.cxxFlags,
    // zig itself passes some that its compiler then calls unused.
    "-Wno-unused-command-line-argument",
    // No path of this machine in the file.
    `-ffile-prefix-map=${root}=`,
    ...plan.defines.map((define) => `-D${define}`),
    ...flagsOfNode(plan),
    ...plan.linkFlags,
    ...system.linker,
    ...plan.sources,
    ...system.sources,
    ...plan.libraries,
    ...["-o", result],
  ]);
  copyFileSync(result, file);
}
