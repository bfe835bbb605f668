// Loads a prebuilt file where this machine can: in Node, or, for musl, of which there is no Node
// here, in musl's own loader.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheFolder } from "../tools/tools.mjs";
import { nativeFolder, runZig } from "./compile.mjs";
import { nodeFunction } from "./targets.mjs";

/** @typedef {import("./targets.mjs").Target} Target */

/**
 * @typedef {object} LoadResult
 * @property {"loaded" | "failed" | "skipped"} outcome
 * @property {string} detail in what it was loaded, what went wrong, or why it was not tried
 */

const hostIsMusl = existsSync("/etc/alpine-release");

/**
 * The file that node-gyp-build picks for a system.
 *
 * @param {Target} target
 */
export function pickedFile(target) {
  const [platform = "", arch = ""] = target.folder.split("-");
  const script = "process.stdout.write(require('node-gyp-build').path('.'))";
  const env = {
    ...process.env,
    PREBUILDS_ONLY: "1",
    ...(target.libc === undefined ? {} : { LIBC: target.libc }),
    npm_config_platform: platform,
    npm_config_arch: arch,
  };
  const options = /** @type {const} */ ({ cwd: nativeFolder, env, encoding: "utf8" });
  const { stdout, stderr, status } = spawnSync(process.execPath, ["-e", script], options);
  if (status !== 0) throw new Error(`node-gyp-build: ${stderr.trim()}`);
  return stdout;
}

/**
 * @param {string} file
 * @returns {LoadResult}
 */
function loadInNode(file) {
  const script = "console.log(require(process.argv[1]).bootFacts === undefined ? 'empty' : 'ok')";
  const load = ["-e", script, file];
  const { stdout, stderr } = spawnSync(process.execPath, load, { encoding: "utf8" });
  if (stdout.trim() === "ok") return { outcome: "loaded", detail: `Node ${process.versions.node}` };
  return { outcome: "failed", detail: stdout.trim() || stderr.trim() };
}

/**
 * A library with an entry, which the loader starts like a program: zig links programs for musl
 * statically, and a static program loads nothing. The loader jumps to the entry with a stack that
 * no function expects on x64. Node's functions are only looked up, so any will do.
 *
 * @param {readonly string[]} nodeFunctions
 */
function hostSource(nodeFunctions) {
  return [
    "#include <dlfcn.h>",
    "#include <stdio.h>",
    "#include <stdlib.h>",
    "#ifdef __x86_64__",
    "__attribute__((force_align_arg_pointer))",
    "#endif",
    "void start(void) {",
    '  void *addon = dlopen(getenv("FE_ADDON"), RTLD_NOW | RTLD_LOCAL);',
    "  if (addon == NULL) { puts(dlerror()); exit(1); }",
    '  puts(dlsym(addon, "napi_register_module_v1") != NULL ? "ok" : "no entry");',
    "  exit(0);",
    "}",
    ...nodeFunctions.map((name) => `void ${name}(void) { abort(); }`),
    "",
  ].join("\n");
}

/**
 * How to start musl's loader for the target; it is in Debian's package `musl`. For another
 * processor its folder has to be given, and qemu-user runs it.
 *
 * @param {Target} target
 * @returns {string[]} empty if it is not here
 */
function muslLoader(target) {
  const isForeign = target.folder !== `linux-${process.arch}`;
  const processor = target.folder === "linux-arm64" ? "aarch64" : "x86_64";
  const name = `ld-musl-${processor}.so.1`;
  const folders = [process.env.FE_MUSL_ARM64 ?? "/nowhere", "/lib", "/usr/lib"];
  const loader = folders.map((folder) => path.join(folder, name)).find(existsSync);
  if (loader === undefined) return [];
  return isForeign ? [`qemu-${processor}-static`, loader] : [loader];
}

/**
 * @param {Target} target
 * @param {string} file
 * @param {readonly string[]} nodeFunctions
 * @returns {LoadResult}
 */
function loadInMusl(target, file, nodeFunctions) {
  const [command, ...parameters] = muslLoader(target);
  if (command === undefined) return { outcome: "skipped", detail: "no loader of musl here" };
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(path.join(cacheFolder, "musl-host-"));
  try {
    const [source, host] = [path.join(folder, "host.c"), path.join(folder, "host.so")];
    writeFileSync(source, hostSource(nodeFunctions));
    const flags = ["-target", target.triple, "-shared", "-fPIC", "-Wl,--entry=start"];
    runZig("cc", [...flags, source, "-o", host]);
    const env = { ...process.env, FE_ADDON: file };
    const result = spawnSync(command, [...parameters, host], { env, encoding: "utf8" });
    if (result.error) return { outcome: "skipped", detail: result.error.message };
    const via = parameters.length > 0 ? "loader of musl, under qemu" : "loader of musl";
    if (result.stdout.trim() === "ok") return { outcome: "loaded", detail: via };
    const said = `${result.stdout}${result.stderr}`.trim();
    return { outcome: "failed", detail: said || `ended with ${result.status ?? result.signal}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @type {Readonly<Record<string, string>>} */
const ranBy = {
  "linux-arm64": "npm run test:arm64 runs it",
  "win32-x64": "npm run test:windows runs it",
};

/**
 * @param {Target} target
 * @param {string} file
 * @param {readonly string[]} symbols that the file asks for
 * @returns {LoadResult}
 */
export function tryToLoad(target, file, symbols) {
  const nodeFunctions = symbols.filter((name) => nodeFunction.test(name));
  if (target.libc === "musl" && !hostIsMusl) return loadInMusl(target, file, nodeFunctions);
  const isOfHost =
    target.folder === `${process.platform}-${process.arch}` &&
    target.libc === (hostIsMusl ? "musl" : "glibc");
  if (isOfHost) return loadInNode(file);
  return { outcome: "skipped", detail: ranBy[target.folder] ?? "not for this machine" };
}
