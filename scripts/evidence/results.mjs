// What runs found, kept until a page is made of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(
  new URL("../../test-e2e/node_modules/.cache/results/", import.meta.url),
);

/** @param {string} name */
const fileOf = (name) => path.join(folder, `${name}.json`);

/** @param {string} name @param {unknown} found */
export function keepResults(name, found) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), JSON.stringify(found));
}

/**
 * @param {string} name
 * @returns {any} `undefined` if nothing was found yet
 */
export function readResults(name) {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), "utf8")) : undefined;
}

/**
 * What became of the tests with a prebuilt file. It is kept under the target's name with the
 * checksum of the file, so that no page says it of another file.
 *
 * @typedef {object} TestRun
 * @property {string} sha256
 * @property {string} where such as `Node 20.20.2 for arm64, under qemu-user 7.2`
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * @param {string} target
 * @param {string} sha256
 * @param {string} where
 * @param {readonly import("../bundled-tests/vitest.mjs").Outcome[]} outcomes
 */
export function keepTestRun(target, sha256, where, outcomes) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { state } of outcomes) counts[state] += 1;
  keepResults(`tests-of-${target}`, { sha256, where, ...counts });
}

/** @param {string} target @param {string} sha256 @returns {TestRun | undefined} */
export function readTestRun(target, sha256) {
  const found = readResults(`tests-of-${target}`);
  return found?.sha256 === sha256 ? found : undefined;
}
