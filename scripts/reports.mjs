// Writes docs/evidence/reports.md: every public report of test-e2e/src/reports/reports.json with
// the tests whose titles begin with its number. With `--check` it writes nothing and fails if the
// page is not up to date. A report without a test is a failure in any case.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { keepPage } from "./docs/keep-page.mjs";
import { readTree } from "./tidy/files.mjs";
import { escaped, testsById } from "./traceability.mjs";

const source = "test-e2e/src/reports/reports.json";
const reportId = /^3[AC]-\d+$/u;
const simulated = /\[simulated: /u;

/**
 * @typedef {object} Report
 * @property {string} id
 * @property {string} url
 * @property {string} symptom what somebody met, with another program
 * @property {string} outcome what must happen here
 * @property {string} [mended] what was wrong here when its test ran first
 *
 * @typedef {{ kind: string, reports: Report[] }} Kind
 * @typedef {import("./traceability.mjs").Test} Test
 */

/** @param {string} text */
function cell(text) {
  return text.replaceAll("|", "\\|");
}

/** @param {Report} report */
function nameOf({ url }) {
  const [, repository, , number] =
    /github\.com\/([^/]+\/[^/]+)\/(issues|pull)\/(\d+)$/u.exec(url) ?? [];
  return `${repository}#${number}`;
}

/**
 * @param {Kind} kind
 * @param {ReadonlyMap<string, readonly Test[]>} tests
 * @returns {string[]}
 */
function table({ kind, reports }, tests) {
  const rows = reports.map((report) => {
    const found = (tests.get(report.id) ?? []).map(
      ({ file, title }) => `\`${file}\`: ${cell(escaped(title))}`,
    );
    const { id, url, symptom, outcome } = report;
    const cells = [id, `[${nameOf(report)}](${url}): ${cell(symptom)}`, cell(outcome)];
    return `| ${[...cells, found.join("<br>")].join(" | ")} |`;
  });
  return [
    "",
    `## ${kind}`,
    "",
    "| | Reported of another program | Here | Tests |",
    "| --- | --- | --- | --- |",
    ...rows,
  ];
}

/**
 * @param {readonly Kind[]} kinds
 * @param {ReadonlyMap<string, readonly Test[]>} tests
 * @returns {string}
 */
export function renderReports(kinds, tests) {
  const reports = kinds.flatMap((kind) => kind.reports);
  const found = reports.map(({ id }) => tests.get(id) ?? []);
  const all = new Set(found.flat().map(({ file, title }) => `${file}\0${title}`));
  const isSimulated = (/** @type {readonly Test[]} */ some) =>
    some.length > 0 && some.every(({ title }) => simulated.test(title));
  const counts = [
    ["reports", reports.length],
    ["with a test", found.filter((some) => some.length > 0).length],
    ["of these by simulation only", found.filter(isSimulated).length],
    ["tests, each title counted once", all.size],
    ["that failed here when they were tried first", reports.filter((each) => each.mended).length],
  ];
  const mended = reports.filter((report) => report.mended);
  return `${[
    "# Public reports, tried here",
    "",
    "Faults that users of other programs reported in public, each as a test of this one: what was",
    "reported, what must happen here, and which tests show it. Those marked `3A` were tried",
    "first, those marked `3C` later. A title with `[simulated: …]` is about a system that the",
    "tests do not run on; the port to the system answers there as that one would.",
    "",
    `Made by \`npm run reports\` from [reports.json](../../${source}) and the tests' titles. All`,
    "run with `npm test`, or with a [suite](../../test-e2e/README.md) that needs longer.",
    "",
    "| | |",
    "| --- | --- |",
    ...counts.map(([what, count]) => `| ${what} | ${count} |`),
    "",
    "## What was mended",
    "",
    ...mended.map(({ id, mended: what }) => `- **${id}** ${what}`),
    ...kinds.flatMap((kind) => table(kind, tests)),
  ].join("\n")}\n`;
}

function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  /** @type {Kind[]} */
  const kinds = JSON.parse(readFileSync(path.join(root, source), "utf8"));
  const tests = testsById(readTree(root), reportId);
  const ids = new Set(kinds.flatMap(({ reports }) => reports.map(({ id }) => id)));
  for (const id of [...ids].filter((each) => !tests.has(each))) {
    console.log(`No test begins with the number of report ${id}`);
    process.exitCode = 1;
  }
  for (const [id, [test]] of tests) {
    if (ids.has(id)) continue;
    console.log(`${test?.file}: no report has the number ${id}`);
    process.exitCode = 1;
  }
  keepPage("docs/evidence/reports.md", renderReports(kinds, tests), "npm run reports");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
