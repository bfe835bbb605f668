// A folder with the addon's package as a consumer has it, one prebuilt file, and tests beside it.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../tools/tools.mjs";
import { bundleTests } from "./bundle.mjs";

const native = fileURLToPath(new URL("../../native", import.meta.url));

/**
 * @typedef {object} Consumer
 * @property {string} folder
 * @property {string[]} files names of the files that describe tests, in `tests`
 * @property {string} sha256 of the prebuilt file
 */

/**
 * @param {string} name of the folder
 * @param {string} prebuilt the file, below `native/prebuilds`
 * @param {readonly string[]} tests
 * @param {readonly string[]} [programs] that the tests start
 * @returns {Promise<Consumer>}
 */
export async function prepareConsumer(name, prebuilt, tests, programs = []) {
  const folder = path.join(cacheFolder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const modules = path.join(native, "node_modules", "node-gyp-build");
  const options = { recursive: true, dereference: true };
  cpSync(modules, path.join(folder, "node_modules", "node-gyp-build"), options);
  const file = path.join("prebuilds", prebuilt);
  for (const part of ["package.json", "README.md", "binding.cjs", file]) {
    cpSync(path.join(native, part), path.join(folder, part));
  }
  const sha256 = createHash("sha256")
    .update(readFileSync(path.join(folder, file)))
    .digest("hex");
  const files = await bundleTests(path.join(folder, "tests"), tests, programs);
  return { folder, files, sha256 };
}
