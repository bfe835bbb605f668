// Writes docs/traceability.md: every line of docs/requirements.md with the tests whose titles begin
// with its id. With `--check` it writes nothing and fails if the page is not up to date.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { keepPage } from "./docs/keep-page.mjs";
import { notProven } from "./not-proven.mjs";
import { readTree, walk } from "./tidy/files.mjs";

const testFile = /\.(?:test|bench)\.ts$/u;
const testFunctions = new Set(["it", "test", "describe", "suite", "bench"]);
/** Ids of requirements, and of reports (reports.mjs). A title may begin with both. */
const leadingIds = /^(?:(?:[SDBPQ]\d+|3[AC]-\d+)[ ,:]+)+/u;
const requirementId = /^[SDBPQ]\d+$/u;

/**
 * @typedef {{ id: string, line: string }} Requirement
 * @typedef {{ heading: string, requirements: Requirement[] }} Group
 * @typedef {{ file: string, title: string }} Test
 */

/**
 * @param {string} page docs/requirements.md
 * @returns {Group[]}
 */
export function readRequirements(page) {
  /** @type {Group[]} */
  const groups = [];
  for (const line of page.split("\n")) {
    const heading = /^## (.+)$/u.exec(line)?.[1];
    if (heading) groups.push({ heading, requirements: [] });
    const [, id, text] = /^\| ([SDBPQ]\d+) \| (.+) \|$/u.exec(line) ?? [];
    if (id && text) groups.at(-1)?.requirements.push({ id, line: text });
  }
  return groups;
}

/**
 * @param {ts.Node | undefined} node
 * @returns {string | undefined} the title, with `…` for what is only known when the test runs
 */
function titleText(node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {string[]} titles of its tests and groups of tests
 */
export function titlesOf(file, text) {
  /** @type {string[]} */
  const titles = [];
  walk(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true), (node) => {
    if (!ts.isCallExpression(node)) return;
    // `it`, and `it.each(…)`, `describe.skipIf(…)` and their like, all begin with the same word.
    const first = /^\w+/u.exec(node.expression.getText())?.[0] ?? "";
    const title = testFunctions.has(first) ? titleText(node.arguments[0]) : undefined;
    if (title !== undefined) titles.push(title);
  });
  return titles;
}

/**
 * @param {ReadonlyMap<string, string>} tree text by name
 * @param {RegExp} [wanted] which ids
 * @returns {Map<string, Test[]>} tests by id, by file and title
 */
export function testsById(tree, wanted = requirementId) {
  /** @type {Map<string, Test[]>} */
  const tests = new Map();
  for (const [file, text] of tree) {
    if (!testFile.test(file)) continue;
    for (const title of titlesOf(file, text)) {
      const ids = leadingIds.exec(title)?.[0].match(/[\w-]+/gu) ?? [];
      for (const id of ids.filter((each) => wanted.test(each))) {
        tests.set(id, [...(tests.get(id) ?? []), { file, title }]);
      }
    }
  }
  for (const found of tests.values()) found.sort(byFileAndTitle);
  return tests;
}

/**
 * @param {readonly Group[]} groups
 * @param {ReadonlyMap<string, readonly Test[]>} tests
 * @param {Readonly<Record<string, string>>} reasons
 * @returns {string}
 */
export function render(groups, tests, reasons) {
  const lines = [
    "# Which test proves what",
    "",
    "Made by `npm run traceability` from [requirements.md](requirements.md) and the tests' titles.",
  ];
  for (const { heading, requirements } of groups) {
    lines.push("", `## ${heading}`);
    for (const { id, line } of requirements) {
      lines.push("", `**${id}** ${line}`, "");
      const proofs = tests.get(id) ?? [];
      for (const { file, title } of proofs) lines.push(`- \`${file}\`: ${escaped(title)}`);
      const reason = reasons[id] ?? "no test names it yet";
      if (proofs.length === 0) lines.push(`- not proven here: ${reason}`);
      else if (reasons[id]) lines.push(`- not proven here, beyond these: ${reason}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/**
 * @param {Test} a
 * @param {Test} b
 */
function byFileAndTitle(a, b) {
  const [left, right] = [`${a.file}\0${a.title}`, `${b.file}\0${b.title}`];
  return left < right ? -1 : Number(left > right);
}

/** @param {string} title */
export function escaped(title) {
  return title.replaceAll(/[\\`*_<>[\]]/gu, "\\$&").replaceAll(/\s+/gu, " ");
}

function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const groups = readRequirements(readFileSync(path.join(root, "docs", "requirements.md"), "utf8"));
  const tests = testsById(readTree(root));
  const known = new Set(groups.flatMap(({ requirements }) => requirements.map(({ id }) => id)));
  const unknown = [...tests.keys(), ...Object.keys(notProven)].filter((id) => !known.has(id));
  for (const id of unknown) {
    const [test] = tests.get(id) ?? [];
    console.log(`${test?.file ?? "scripts/not-proven.mjs"}: no requirement has the id ${id}`);
  }
  if (unknown.length > 0) process.exitCode = 1;
  keepPage("docs/traceability.md", render(groups, tests, notProven), "npm run traceability");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
