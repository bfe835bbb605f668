// Rules on who imports whom: the arrows between packages, cycles, and files that nothing leads to.
import path from "node:path";
import { isListed } from "./files.mjs";
import { entryFiles, mayImport, purePackages, sharedTestHelpers } from "./layout.mjs";

/**
 * @typedef {import("./files.mjs").SourceFile} SourceFile
 * @typedef {import("./files.mjs").Reference} Reference
 * @typedef {import("./files.mjs").Finding} Finding
 * @typedef {ReadonlyMap<string, string>} Entries source file of each public name of a package
 * @typedef {Map<string, Set<string>>} Graph
 */

/**
 * @param {string} specifier
 * @returns {string} `@fe/engine` of `@fe/engine/testing`
 */
function packageOf(specifier) {
  return specifier.split("/").slice(0, 2).join("/");
}

/**
 * @param {SourceFile} file
 * @param {string} specifier
 * @param {ReadonlySet<string>} names
 * @param {Entries} entries
 * @returns {string | undefined} the file of this repository that is meant, if it is one
 */
function resolve(file, specifier, names, entries) {
  if (!specifier.startsWith(".")) return entries.get(specifier);
  const target = path.posix.join(path.posix.dirname(file.name), specifier);
  return [target, target.replace(/\.js$/u, ".ts")].find((name) => names.has(name));
}

/**
 * @param {SourceFile} file
 * @param {Reference} reference
 * @param {Entries} entries
 * @returns {[rule: string, message: string] | undefined}
 */
function checkPublicImport(file, { specifier, isTypeOnly }, entries) {
  const imported = packageOf(specifier);
  const isForTests = specifier === `${imported}/testing`;
  if (!entries.has(specifier)) {
    return ["deep-import", `"${specifier}" is not an entry of ${imported}`];
  }
  if (file.kind === "product" && isForTests) {
    return ["arrow", `"${specifier}" is for tests`];
  }
  const allowed = mayImport[file.packageFolder];
  if (allowed !== undefined && !allowed.includes(imported) && !isForTests) {
    return ["arrow", `${file.packageFolder} may not import ${imported}`];
  }
  if (file.kind === "product" && purePackages.includes(file.packageFolder) && !isTypeOnly) {
    return ["pure", `${file.packageFolder} takes only types from other packages`];
  }
  return undefined;
}

/**
 * @param {SourceFile} file
 * @param {string} specifier
 * @returns {[rule: string, message: string] | undefined}
 */
function checkRelativeImport(file, specifier) {
  const target = path.posix.join(path.posix.dirname(file.name), specifier);
  if (!target.startsWith(`${file.packageFolder}/`) && !isListed(target, sharedTestHelpers)) {
    return ["deep-import", `"${specifier}" leaves the package; import the other by its name`];
  }
  if (file.name.endsWith(".ts") && /\.js$/u.test(specifier)) {
    return ["import-ending", `"${specifier}" names what is built; write the name of the source`];
  }
  return undefined;
}

/**
 * @param {readonly SourceFile[]} files
 * @param {Entries} entries
 * @returns {Finding[]}
 */
function checkImports(files, entries) {
  /** @type {Finding[]} */
  const findings = [];
  for (const file of files) {
    if (file.kind !== "product" && file.kind !== "test") continue;
    for (const reference of file.references) {
      const { specifier, line } = reference;
      let problem;
      if (specifier.startsWith(".")) problem = checkRelativeImport(file, specifier);
      else if (specifier.startsWith("@fe/")) problem = checkPublicImport(file, reference, entries);
      if (problem === undefined) continue;
      const [rule, message] = problem;
      findings.push({ file: file.name, line, rule, message });
    }
  }
  return findings;
}

/**
 * @param {readonly SourceFile[]} files
 * @param {Entries} entries
 * @returns {Graph}
 */
function graphOf(files, entries) {
  const names = new Set(files.map(({ name }) => name));
  return new Map(
    files.map((file) => {
      const targets = file.references
        .map(({ specifier }) => resolve(file, specifier, names, entries))
        .filter((target) => target !== undefined);
      return [file.name, new Set(targets)];
    }),
  );
}

/**
 * @param {Graph} graph
 * @returns {string[][]} each cycle once, as the way around it
 */
function cyclesOf(graph) {
  /** @type {string[][]} */
  const cycles = [];
  const finished = new Set();
  /** @type {string[]} */
  const way = [];
  /** @param {string} name */
  const visit = (name) => {
    const start = way.indexOf(name);
    if (start !== -1) cycles.push([...way.slice(start), name]);
    if (start !== -1 || finished.has(name)) return;
    way.push(name);
    for (const target of graph.get(name) ?? []) visit(target);
    way.pop();
    finished.add(name);
  };
  for (const name of graph.keys()) visit(name);
  return cycles;
}

/**
 * @param {Graph} graph
 * @param {Iterable<string>} starts
 * @returns {Set<string>}
 */
function reachable(graph, starts) {
  const found = new Set(starts);
  // A set that grows while it is walked is walked to its end.
  for (const name of found) for (const target of graph.get(name) ?? []) found.add(target);
  return found;
}

/**
 * @param {readonly SourceFile[]} files
 * @param {Entries} entries
 * @returns {Finding[]}
 */
export function checkImportGraph(files, entries) {
  const findings = checkImports(files, entries);
  const graph = graphOf(files, entries);
  for (const cycle of cyclesOf(graph)) {
    const [file = ""] = cycle;
    findings.push({ file, line: 0, rule: "cycle", message: cycle.join(" -> ") });
  }
  const fromEntries = reachable(graph, [...entries.values(), ...entryFiles]);
  const isRun = /\.(?:test|bench)\.ts$/u;
  const fromTests = reachable(
    graph,
    [...graph.keys()].filter((name) => isRun.test(name)),
  );
  for (const { name, kind } of files) {
    const isUnused =
      (kind === "product" && !fromEntries.has(name)) ||
      (kind === "test" && !fromEntries.has(name) && !fromTests.has(name));
    if (!isUnused) continue;
    const message = kind === "product" ? "No entry of a package leads here" : "No test leads here";
    findings.push({ file: name, line: 0, rule: "unused-file", message });
  }
  return findings;
}
