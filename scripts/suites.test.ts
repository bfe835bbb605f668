// That no suite is forgotten: what `npm test` leaves out has a command that runs it, and .ci/run
// and the table of test-e2e name each such command. A suite that nothing runs fails nowhere.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

/** The files in which a suite is named; see ARCHITECTURE.md, "Where to change what". */
const files = {
  leftOut: "test-e2e/vitest.config.ts",
  ofEngine: "packages/engine/vitest.config.ts",
  suites: "scripts/long-suite.mjs",
  packed: "test-e2e/packages.vitest.config.ts",
  commands: "package.json",
  ci: ".ci/run",
  table: "test-e2e/README.md",
};
type Texts = Record<keyof typeof files, string>;

const present = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [name, readFileSync(path.join(root, file), "utf8")]),
) as Texts;

/** What is missing, a clause each. */
function forgotten({ leftOut, ofEngine, suites, packed, commands, ci, table }: Texts): string[] {
  const problems: string[] = [];
  const inCi = (/^suites=\(([^)]*)\)/mu.exec(ci)?.[1] ?? "").split(/\s+/u);
  const rows = [...suites.matchAll(/^ {2}\["(\w+)", \{ home: "([\w/-]+)", tests: "([^"]+)"/gmu)];
  const byFolder = new Map(rows.map(([, name = "", home, tests]) => [`${home}/${tests}`, name]));
  for (const [, folder = ""] of leftOut.matchAll(/"(src\/[\w/]+\/)\*\*"/gu)) {
    const isPacked = packed.includes(`"${folder}**/*.test.ts"`);
    const name = isPacked ? "package" : byFolder.get(`test-e2e/${folder}`);
    if (name === undefined) problems.push(`${folder} is left out, and no suite has it`);
    const row = `| [${folder.slice(0, -1)}](${folder}) | \`npm run test:${name}\` |`;
    if (name !== undefined && !table.includes(row)) problems.push(`${folder} has no row`);
    if (isPacked && !inCi.includes("test:package")) problems.push("test:package is not in .ci/run");
  }
  for (const [, names = ""] of ofEngine.matchAll(/"\*\*\/\*([\w.]+)"/gu)) {
    const isRun = rows.some(([, , home, tests]) => home === "packages/engine" && tests === names);
    if (!isRun) problems.push(`*${names} of packages/engine is left out, and no suite has it`);
  }
  for (const name of byFolder.values()) {
    const command = `"test:${name}": "node scripts/long-suite.mjs ${name}"`;
    if (!commands.includes(command)) problems.push(`test:${name} is no command`);
    if (!inCi.includes(`test:${name}`)) problems.push(`test:${name} is not in .ci/run`);
    if (!table.includes(`\`npm run test:${name}\``))
      problems.push(`test:${name} is not in the table`);
  }
  return problems;
}

describe("the suites that npm test leaves out", () => {
  it("are each run by a command, which .ci/run and the table name", () => {
    expect(present.leftOut.match(/"src\/[\w/]+\/\*\*"/gu)).toHaveLength(5);
    expect(present.ofEngine.match(/"\*\*\/\*[\w.]+"/gu)).toHaveLength(1);
    expect(forgotten(present)).toEqual([]);
  });

  it.each<[part: keyof Texts, from: string, to: string, problem: string]>([
    ["leftOut", `"src/crash/**"`, `"src/new/**"`, "src/new/ is left out, and no suite has it"],
    ["suites", `tests: "src/env/"`, `tests: "src/gone/"`, "src/env/ is left out, and no suite has"],
    ["ofEngine", "*.sweep.crash.", "*.new.", "*.new.test.ts of packages/engine is left out, and"],
    ["packed", "src/packages/", "src/gone/", "src/packages/ is left out, and no suite has it"],
    ["commands", "long-suite.mjs power", "long-suite.mjs crash", "test:power is no command"],
    ["ci", "test:reports", "", "test:reports is not in .ci/run"],
    ["ci", "test:package", "", "test:package is not in .ci/run"],
    ["table", "| [src/power](src/power/)", "| src/power", "src/power/ has no row"],
    ["table", "`npm run test:sweep`", "", "test:sweep is not in the table"],
  ])("are told if one is forgotten in %s: %s", (part, from, to, problem) => {
    const broken = { ...present, [part]: present[part].replace(from, to) };
    expect(broken[part]).not.toBe(present[part]);
    expect(forgotten(broken).join("\n")).toContain(problem);
  });
});
