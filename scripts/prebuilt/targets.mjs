// The systems for which the addon is prebuilt, and what a file for each has to look like.

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {import("./gyp.mjs").System} system
 * @property {string} folder below `prebuilds`: `process.platform`, `-`, `process.arch`
 * @property {"glibc" | "musl"} [libc] Linux only
 * @property {string} triple as zig names it, with the oldest glibc or macOS that has to do
 * @property {string} machine as readelf, macho.mjs or pe.mjs names it
 * @property {readonly string[]} libraries that it may ask the system for
 * @property {readonly string[]} [alsoExported] symbols beside the entry that cannot be hidden
 */

/** The glibc of RHEL 8 and Debian 10, and the oldest on which Node 20 itself runs. */
export const oldestGlibc = "2.28";

/** More than this is a mistake, such as debug information left in. */
export const largestFileBytes = 640 * 1024;

/** All that Node looks for in an addon. Nothing else may be visible to other libraries. */
export const exportedSymbols = ["napi_register_module_v1", "node_api_module_get_api_version_v1"];

/** The machine of a file of Windows for x64 (`IMAGE_FILE_MACHINE_AMD64`). */
const windowsX64 = "0x8664";
/** What every Windows 10 has. `api-ms-win-crt-…` are the parts of its C library. */
const windowsLibraries = ["ADVAPI32.dll", "KERNEL32.dll", "ntdll.dll"];
export const windowsLibrary = /^api-ms-win-crt-[a-z-]+-l1-1-0\.dll$/u;

/** The functions that Node gives to addons. */
export const nodeFunction = /^(?:napi|node_api)_/u;

/** What musl has only since 1.2.3 and 1.2.5; Alpine 3.15 to 3.19 are older than the latter. */
export const newInMusl = ["preadv2", "pwritev2", "qsort_r", "statx"];

/** The oldest that has O_NOFOLLOW_ANY. */
const oldestMacos = "11.0";

/**
 * zig's linker for macOS has no list of what to show: it refuses `-exported_symbols_list`,
 * `-exported_symbol` and `-unexported_symbol`. The first two here are its own; the others are how
 * C++ takes and gives back memory, which the loader joins with those of the process, as it does for
 * every library in C++. They come from zig's C++ library, which has them visible, so that
 * `-fvisibility-global-new-delete=force-hidden` does not reach them.
 */
const notHiddenOnMacos = [
  ...["__dso_handle", "_mh_dylib_header"],
  ...["_Znam", "_ZnamSt11align_val_t", "_Znwm", "_ZnwmSt11align_val_t"],
  ...["_ZdaPv", "_ZdaPvSt11align_val_t", "_ZdaPvm", "_ZdaPvmSt11align_val_t"],
  ...["_ZdlPv", "_ZdlPvSt11align_val_t", "_ZdlPvm", "_ZdlPvmSt11align_val_t"],
];

/**
 * @param {string} arch as Node names it
 * @param {string} processor as zig names it
 * @param {string} machine
 * @returns {Target}
 */
function macos(arch, processor, machine) {
  return {
    name: `darwin-${arch}`,
    system: "mac",
    folder: `darwin-${arch}`,
    triple: `${processor}-macos.${oldestMacos}`,
    machine,
    libraries: ["/usr/lib/libSystem.B.dylib"],
    alsoExported: notHiddenOnMacos,
  };
}

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
  macos("arm64", "aarch64", "arm64"),
  macos("x64", "x86_64", "x86_64"),
  {
    name: "win32-x64",
    system: "win",
    folder: "win32-x64",
    triple: "x86_64-windows-gnu",
    machine: windowsX64,
    libraries: windowsLibraries,
  },
];

/**
 * The name by which node-gyp-build finds it; prebuildify gives the same.
 *
 * @param {Target} target
 */
export function fileName({ folder, libc }) {
  return `${folder}/@fe+native${libc === undefined ? "" : `.${libc}`}.node`;
}
