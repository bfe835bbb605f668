// Checks the rules of this repository that compiler and linter cannot. Who may do what stands in
// tidy/layout.mjs.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { checkCode } from "./tidy/code-rules.mjs";
import { parse, readTree } from "./tidy/files.mjs";
import { checkImportGraph } from "./tidy/import-rules.mjs";
import { checkText } from "./tidy/text-rules.mjs";

/** @typedef {import("./tidy/files.mjs").Finding} Finding */

/**
 * @param {ReadonlyMap<string, string>} tree text by name, relative to the root
 * @param {ReadonlyMap<string, string>} entries source file of each public name of a package
 * @returns {Finding[]}
 */
export function tidy(tree, entries) {
  const files = [...tree].map(([name, text]) => parse(name, text));
  return [
    ...files.flatMap((file) => [...checkText(file), ...checkCode(file)]),
    ...checkImportGraph(files, entries),
  ];
}

/**
 * The public names and their sources, from the table by which the compiler finds them.
 *
 * @param {string} root
 * @returns {Map<string, string>}
 */
function readEntries(root) {
  const file = path.join(root, "tsconfig.base.json");
  const { config } = ts.parseConfigFileTextToJson(file, readFileSync(file, "utf8"));
  const entries = new Map();
  for (const [name, [source = ""]] of Object.entries(config.compilerOptions.paths)) {
    entries.set(name, source.replace(/^\.\//u, ""));
  }
  return entries;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const findings = tidy(readTree(root), readEntries(root));
  for (const { file, line, rule, message } of findings) {
    console.log(`${file}${line > 0 ? `:${line}` : ""}: ${message} [${rule}]`);
  }
  if (findings.length > 0) process.exitCode = 1;
}
