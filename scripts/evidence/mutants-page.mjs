// Writes docs/evidence/mutants.md: every protection that a suite takes out, and which layers notice
// it. What a layer saw is in mutants.json beside it, where its suite puts it when it writes its own
// page.
//
//   node mutants-page.mjs                              the page anew
//   node mutants-page.mjs --check                      fails if it is not up to date
//   node mutants-page.mjs --take simulation|crash|power   first takes what the last run found
//
// It fails in any case if a mutant is caught by no layer, if a suite has a mutant that is not in
// the table, or if one of the table was not run.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { keepPage } from "../docs/keep-page.mjs";
import { problemsOf, renderMutants } from "./mutants-table.mjs";

/** @typedef {import("./mutants-table.mjs").Seen} Seen */

const root = fileURLToPath(new URL("../..", import.meta.url));
const seenFile = path.join(root, "docs", "evidence", "mutants.json");
const results = path.join(root, "test-e2e", "node_modules", ".cache", "results");
const simulated = path.join(root, "packages", "engine", "node_modules", ".cache", "simulation");

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** @type {Readonly<Record<string, () => Record<string, unknown>>>} */
const takers = {
  simulation: () => {
    const parts = readdirSync(simulated).sort();
    const mutants = parts
      .map((name) => readJson(path.join(simulated, name)))
      .filter(({ catches }) => catches !== undefined);
    return Object.fromEntries(
      mutants.map(({ name, seeds, catches }) => {
        const firsts = catches.map((/** @type {any} */ one) => [one.rule, one.seed]);
        return [name, { seeds, caught: Object.fromEntries(firsts) }];
      }),
    );
  },
  crash: () => {
    const { trace } = readJson(path.join(results, "crash.json"));
    const names = trace.caught.filter((/** @type {string} */ name) => name !== "none");
    return Object.fromEntries(names.map((/** @type {string} */ name) => [name, "list of calls"]));
  },
  power: () => {
    const { power } = readJson(path.join(results, "power.json"));
    const rows = Object.entries(power.mutants).map(([name, row]) => {
      const cells = Object.entries(row).map(([filesystem, { caught, states }]) => {
        return [filesystem, { caught, states }];
      });
      return [name, Object.fromEntries(cells.sort())];
    });
    return Object.fromEntries(rows);
  },
};

/** The names of the mutants, as they stand in the sources of the suites. */
function namesInSources() {
  /** @param {string} file @param {RegExp} pattern */
  const names = (file, pattern) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return [...text.matchAll(pattern)].map(([, name = ""]) => name).filter((one) => one !== "none");
  };
  return {
    simulation: names("packages/engine/test/simulation/mutants.ts", /\bname: "([^"]+)"/gu),
    crash: names("test-e2e/src/harness/mutants.mjs", /^ {2}"?([a-z' ]+)"?: (?:async )?\(call/gmu),
  };
}

/** @type {Seen} */
const seen = existsSync(seenFile) ? readJson(seenFile) : {};
const at = process.argv.indexOf("--take");
if (at >= 0) {
  const layer = process.argv[at + 1] ?? "";
  const take = takers[layer];
  if (take === undefined) throw new Error(`Which layer? One of ${Object.keys(takers).join(", ")}`);
  Object.assign(seen, { [layer]: take() });
  writeFileSync(seenFile, `${JSON.stringify(seen, undefined, 2)}\n`);
}
const problems = problemsOf(seen, namesInSources());
for (const problem of problems) console.log(`docs/evidence/mutants.md: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
const command = "node scripts/evidence/mutants-page.mjs";
keepPage("docs/evidence/mutants.md", renderMutants(seen), command);
