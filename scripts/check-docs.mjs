// Checks the documents against the repository: links, the numbers of docs/protocol.md, the tests
// that SECURITY.md names, and the examples of the pages that show the command.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkCitations } from "./docs/citations.mjs";
import { checkExamples } from "./docs/examples.mjs";
import { checkLinks } from "./docs/links.mjs";
import { checkThreats } from "./docs/threats.mjs";
import { readTree } from "./tidy/files.mjs";
import { escaped, titlesOf } from "./traceability.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const pagesWithExamples = ["README.md", "packages/cli/README.md"];
/** Copies for the packed packages, by package-pages.mjs. */
const copies = /^(?:native|packages\/[\w-]+)\/docs$/u;
const skippedFolders = new Set(["node_modules", "dist", "build", "fixtures", "coverage"]);

/**
 * @param {string} folder
 * @returns {string[]} names of the Markdown pages below it
 */
function pageNames(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      const isSkipped = skippedFolders.has(entry.name) || entry.name.startsWith(".");
      return isSkipped || copies.test(name) ? [] : pageNames(name);
    }
    return entry.name.endsWith(".md") ? [name] : [];
  });
}

const pages = new Map(
  pageNames("").map((name) => [name, readFileSync(path.join(root, name), "utf8")]),
);
const problems = checkLinks(pages, (name) => existsSync(path.join(root, name)));

const tree = [...readTree(root)];
const code = tree.filter(([name]) => !name.startsWith("scripts/"));
problems.push(...checkCitations(pages.get("docs/protocol.md") ?? "", new Map(code)));

const tests = tree.filter(([name]) => name.endsWith(".test.ts"));
const titles = tests.flatMap(([name, text]) =>
  titlesOf(name, text).map((title) => `\`${name}\`: ${escaped(title)}`),
);
problems.push(...checkThreats(pages.get("SECURITY.md") ?? "", new Set(titles)));

// A Windows shell has neither `sh` nor these examples' quoting.
if (process.platform !== "win32") {
  const command = path.join(root, "packages", "cli", "bin", "fe.js");
  for (const name of pagesWithExamples) {
    problems.push(...checkExamples(name, pages.get(name) ?? "", command));
  }
}

for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
