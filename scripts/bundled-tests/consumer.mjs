// A folder with the addon's package, one prebuilt file, and tests where their sources stand here.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cacheFolder } from "../tools/tools.mjs";
import { bundleTests } from "./bundle.mjs";

const native = fileURLToPath(new URL("../../native", import.meta.url));

/**
 * @typedef {object} Consumer
 * @property {string} folder
 * @property {string} main the program that runs them
 * @property {string[]} files what it is to run
 * @property {string} sha256 of the prebuilt file
 */

/**
 * @param {string} name of the folder
 * @param {string} prebuilt the file, below `native/prebuilds`
 * @param {readonly string[]} tests relative to the root
 * @returns {Promise<Consumer>}
 */
export async function prepareConsumer(name, prebuilt, tests) {
  const folder = path.join(cacheFolder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const modules = path.join(native, "node_modules", "node-gyp-build");
  const options = { recursive: true, dereference: true };
  cpSync(modules, path.join(folder, "node_modules", "node-gyp-build"), options);
  const file = path.join("prebuilds", prebuilt);
  for (const part of ["package.json", "README.md", "binding.cjs", file]) {
    cpSync(path.join(native, part), path.join(folder, "native", part));
  }
  const sha256 = createHash("sha256")
    .update(readFileSync(path.join(folder, "native", file)))
    .digest("hex");
  const place = {
    pathOf: (/** @type {string} */ own) => path.join(folder, own),
    urlOf: (/** @type {string} */ own) => pathToFileURL(path.join(folder, own)).href,
  };
  await bundleTests(folder, place, tests);
  const main = path.join(folder, "scripts", "bundled-tests", "main.mjs");
  return { folder, main, files: tests.map((test) => test.replace(/\.ts$/u, "")), sha256 };
}
