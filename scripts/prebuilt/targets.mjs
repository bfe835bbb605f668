// The systems for which the addon is prebuilt, and what a file for each has to look like.

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {import("./gyp.mjs").System} system
 * @property {string} folder below `prebuilds`: `process.platform`, `-`, `process.arch`
 * @property {"glibc" | "musl"} libc
 * @property {string} triple as zig names it, with the oldest glibc that has to do
 * @property {string} machine as readelf names it
 * @property {readonly string[]} libraries that it may ask the system for
 */

/** The glibc of RHEL 8 and Debian 10, and the oldest on which Node 20 itself runs. */
export const oldestGlibc = "2.28";

/** More than this is a mistake, such as debug information left in. */
export const largestFileBytes = 640 * 1024;

/** All that Node looks for in an addon. Nothing else may be visible to other libraries. */
export const exportedSymbols = ["napi_register_module_v1", "node_api_module_get_api_version_v1"];

/** The functions that Node gives to addons. */
export const nodeFunction = /^(?:napi|node_api)_/u;

/** What musl has only since 1.2.3 and 1.2.5; Alpine 3.15 to 3.19 are older than the latter. */
export const newInMusl = ["preadv2", "pwritev2", "qsort_r", "statx"];

const x64 = "Advanced Micro Devices X86-64";
const glibcLibraries = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"];

/** @type {readonly Target[]} */
export const targets = [
  {
    name: "linux-x64-glibc",
    system: "linux",
    folder: "linux-x64",
    libc: "glibc",
    triple: `x86_64-linux-gnu.${oldestGlibc}`,
    machine: x64,
    libraries: [...glibcLibraries, "ld-linux-x86-64.so.2"],
  },
  {
    name: "linux-x64-musl",
    system: "linux",
    folder: "linux-x64",
    libc: "musl",
    triple: "x86_64-linux-musl",
    machine: x64,
    libraries: ["libc.so"],
  },
  {
    name: "linux-arm64-glibc",
    system: "linux",
    folder: "linux-arm64",
    libc: "glibc",
    triple: `aarch64-linux-gnu.${oldestGlibc}`,
    machine: "AArch64",
    libraries: [...glibcLibraries, "ld-linux-aarch64.so.1"],
  },
  {
    name: "linux-arm64-musl",
    system: "linux",
    folder: "linux-arm64",
    libc: "musl",
    triple: "aarch64-linux-musl",
    machine: "AArch64",
    libraries: ["libc.so"],
  },
];

/**
 * The name by which node-gyp-build finds it; prebuildify gives the same.
 *
 * @param {Target} target
 */
export function fileName({ folder, libc }) {
  return `${folder}/@fe+native.${libc}.node`;
}
