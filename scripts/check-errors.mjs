// Checks that every error code has a section `## FE_X` in docs/errors.md and appears in a test, and
// that no section is about a code that does not exist.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { readTree, walk } from "./tidy/files.mjs";

const sourceFile = "packages/engine/src/errors.ts";
const pageFile = "docs/errors.md";

/**
 * @param {string} text of the source that defines the codes
 * @returns {Set<string>} names and strings in it that look like a code; comments do not count
 */
export function codesOf(text) {
  const codes = new Set();
  walk(ts.createSourceFile("errors.ts", text, ts.ScriptTarget.ESNext, true), (node) => {
    const isWord = ts.isIdentifier(node) || ts.isStringLiteralLike(node);
    if (isWord && /^FE_[A-Z_]+$/u.test(node.text)) codes.add(node.text);
  });
  return codes;
}

/**
 * @param {ReadonlySet<string>} codes
 * @param {string} page
 * @param {string} tests text of all tests
 * @returns {string[]} what is wrong
 */
export function checkErrors(codes, page, tests) {
  const sections = new Set([...page.matchAll(/^## `?(FE_[A-Z_]+)`?$/gmu)].map(([, code]) => code));
  const tested = new Set(tests.match(/\bFE_[A-Z_]+\b/gu));
  return [
    ...[...codes].filter((code) => !sections.has(code)).map((code) => `${code} has no section`),
    ...[...codes].filter((code) => !tested.has(code)).map((code) => `${code} is in no test`),
    ...[...sections]
      .filter((code) => code !== undefined && !codes.has(code))
      .map((code) => `${code} has a section, but there is no such code`),
  ];
}

function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const missing = [sourceFile, pageFile].find((name) => !existsSync(path.join(root, name)));
  if (missing) {
    console.log(`${missing} does not exist yet; error codes are not checked`);
    // The two pages are written together: once the protocol stands, the codes must too.
    if (existsSync(path.join(root, "docs", "protocol.md"))) process.exitCode = 1;
    return;
  }
  const codes = codesOf(readFileSync(path.join(root, sourceFile), "utf8"));
  const page = readFileSync(path.join(root, pageFile), "utf8");
  // The tests of this script name codes that do not exist.
  const tests = [...readTree(root)].filter(
    ([name]) => name.endsWith(".test.ts") && !name.startsWith("scripts/"),
  );
  const problems = checkErrors(codes, page, tests.map(([, text]) => text).join("\n"));
  for (const problem of problems) console.log(`${pageFile}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
