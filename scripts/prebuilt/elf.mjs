// What readelf says about a prebuilt file, and whether that is as it should be.
import {
  exportedSymbols,
  largestFileBytes,
  newInMusl,
  nodeFunction,
  oldestGlibc,
} from "./targets.mjs";

/**
 * @typedef {object} ElfFacts
 * @property {string} machine
 * @property {string[]} libraries that it needs
 * @property {string[]} versions of symbols that it needs, such as `GLIBC_2.17`
 * @property {string[]} exported
 * @property {string[]} unversioned symbols that somebody else has to give, without a version
 * @property {boolean} hasExecutableStack
 * @property {boolean} isRelocatedInText
 */

/** What readelf is asked. */
export const readelfParameters = ["--wide", "-h", "-l", "-d", "-V", "--dyn-syms"];

/**
 * @param {string} text what readelf printed
 * @returns {ElfFacts}
 */
export function parseReadelf(text) {
  /** @param {RegExp} pattern */
  const all = (pattern) => [...text.matchAll(pattern)].map(([, found = ""]) => found);
  const symbol = /^\s*\d+: [0-9a-f]+ +\S+ (\w+) +(GLOBAL|WEAK) +\w+ +(\S+) (\S+)/gmu;
  /** @type {string[]} */
  const exported = [];
  /** @type {string[]} */
  const unversioned = [];
  for (const [, , binding, section, name = ""] of text.matchAll(symbol)) {
    if (section !== "UND") exported.push(name);
    else if (binding === "GLOBAL" && !name.includes("@")) unversioned.push(name);
  }
  return {
    machine: all(/^ *Machine: +(.+?) *$/gmu)[0] ?? "",
    libraries: all(/\(NEEDED\) +Shared library: \[(.+?)\]/gu),
    versions: [...new Set(all(/^ +0x[0-9a-f]+: +Name: (\S+) +Flags:/gmu))].sort(compareVersions),
    exported: exported.sort(),
    unversioned: unversioned.sort(),
    hasExecutableStack: /^ *GNU_STACK .*\bRWE\b/mu.test(text),
    isRelocatedInText: /\(TEXTREL\)/u.test(text),
  };
}

/**
 * Orders `GLIBC_2.4` before `GLIBC_2.17`, and names of other libraries by name.
 *
 * @param {string} left
 * @param {string} right
 */
export function compareVersions(left, right) {
  return left.localeCompare(right, "en", { numeric: true });
}

/**
 * @param {ElfFacts} facts
 * @returns {string | undefined} the oldest glibc that has all symbols; `undefined` if none is named
 */
export function glibcFloor({ versions }) {
  return versions.findLast((version) => version.startsWith("GLIBC_"))?.slice("GLIBC_".length);
}

/**
 * @param {ElfFacts} facts
 * @param {import("./targets.mjs").Target} target
 * @param {number} sizeBytes
 * @returns {string[]} what is wrong
 */
export function checkElf(facts, target, sizeBytes) {
  /** @type {string[]} */
  const problems = [];
  /** @type {(isGood: boolean, problem: string) => void} */
  const demand = (isGood, problem) => {
    if (!isGood) problems.push(problem);
  };
  demand(sizeBytes <= largestFileBytes, `${sizeBytes} bytes; at most ${largestFileBytes}`);
  demand(facts.machine === target.machine, `for ${facts.machine}; expected ${target.machine}`);
  const foreign = facts.libraries.filter((name) => !target.libraries.includes(name));
  demand(foreign.length === 0, `needs the libraries ${foreign.join(", ")}`);
  demand(
    facts.exported.join() === exportedSymbols.join(),
    `exports ${facts.exported.join(", ")}; expected ${exportedSymbols.join(", ")}`,
  );
  demand(!facts.hasExecutableStack, "wants an executable stack");
  demand(!facts.isRelocatedInText, "needs its code to be writable while it is loaded");
  if (target.libc === "musl") {
    demand(facts.versions.length === 0, `needs ${facts.versions.join(", ")}, which musl lacks`);
    const tooNew = facts.unversioned.filter((name) => newInMusl.includes(name));
    demand(tooNew.length === 0, `needs ${tooNew.join(", ")}, which older musl lacks`);
    return problems;
  }
  const floor = glibcFloor(facts);
  demand(floor !== undefined, "names no version of glibc");
  if (floor !== undefined) {
    demand(compareVersions(floor, oldestGlibc) <= 0, `needs glibc ${floor}, not ${oldestGlibc}`);
  }
  const others = facts.versions.filter((version) => !version.startsWith("GLIBC_"));
  demand(others.length === 0, `needs ${others.join(", ")} of the system's C++ library`);
  const strangers = facts.unversioned.filter((name) => !nodeFunction.test(name));
  demand(strangers.length === 0, `needs ${strangers.join(", ")} of an unknown library`);
  return problems;
}
