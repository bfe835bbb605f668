// Nothing can be typed that is not documented and tested: every command, option and exit code.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { commandShape, parseArguments } from "./arguments.ts";
import { allCommands } from "./completion/shape.ts";
import { exitCodes } from "./exit-codes.ts";
import { requestMembers } from "./settings/request.ts";

const folder = path.resolve(import.meta.dirname, "..");
const project = path.resolve(folder, "..", "..");
const read = (...parts: string[]): string => readFileSync(path.resolve(...parts), "utf8");
const readme = read(folder, "README.md");
const errorsPage = read(project, "docs", "errors.md");

/** The text of all tests of the command, those with the built one as well; but not this one. */
function testsText(): string {
  const folders = [path.join(folder, "src"), path.join(project, "test-e2e", "src")];
  return folders
    .flatMap((each) => readdirSync(each, { recursive: true }).map((name) => [each, String(name)]))
    .filter(([, name]) => name?.endsWith(".test.ts") && name !== "documented.test.ts")
    .map(([each = "", name = ""]) => read(each, name))
    .join("\n");
}

const tests = testsText();

/** Whether a text names an option, and not only one that begins so, such as `--tool` for `--to`. */
function names(text: string, flag: string): boolean {
  return new RegExp(`${flag}(?![\\w-])`, "u").test(text);
}

/** The part of README.md about a command and those below it; with no words, about all. */
function sectionOf(words: string): string {
  const [, top = ""] = words.split(" ");
  const sections = readme.split(/^## /mu);
  const about = sections.filter((section) => {
    const [title = ""] = section.split("\n");
    return top === "" ? title === "Every command" : new RegExp(`\\bfe ${top}\\b`, "u").test(title);
  });
  return about.join("\n");
}

const commonOptions = new Set(
  allCommands(commandShape())
    .find(({ words }) => words === "fe")
    ?.options.map(({ flag }) => flag),
);
const commands = allCommands(commandShape());

describe("the command line", () => {
  it("Q5 every command has a help, and stands in README.md and in a test", () => {
    for (const { words, commands: inner } of commands) {
      const argv = words.split(" ").slice(1);
      const help = parseArguments([...argv, "--help"]);
      expect(help.kind, words).toBe("help");
      if (inner.length > 0) continue;
      expect(readme, words).toContain(words);
      const typed = argv.map((word) => `"${word}"`).join(", ");
      const isTested = tests.includes(typed) || tests.includes(words);
      expect(isTested, `${words} is in no test`).toBe(true);
    }
  });

  it("Q5 every option stands in the help of its command, in README.md and in a test", () => {
    for (const { words, options } of commands) {
      const help = parseArguments([...words.split(" ").slice(1), "--help"]);
      if (help.kind !== "help") throw new Error(words);
      for (const { flag, description } of options) {
        const named = `${words} ${flag}`;
        const section = sectionOf(commonOptions.has(flag) ? "fe" : words);
        expect(names(help.text, flag), `${named} in its help`).toBe(true);
        expect(description, named).not.toBe("");
        expect(names(section, flag), `${named} in its section of README.md`).toBe(true);
        expect(names(tests, flag), `${named} in a test`).toBe(true);
      }
    }
  });

  it("Q5 would miss an option that is nowhere, or only as the beginning of another", () => {
    expect(names("see --tool-kit and --to=before", "--tool")).toBe(false);
    expect(names("see --tool-kit and --to=before", "--to")).toBe(true);
    expect(sectionOf("fe recovery diff")).toContain("--tool COMMAND");
    expect(names(sectionOf("fe edit"), "--tool")).toBe(false);
    expect(names(sectionOf("fe"), "--quiet")).toBe(true);
    expect(commonOptions.has("--json")).toBe(true);
    expect(commonOptions.has("--dry-run")).toBe(false);
  });

  it("Q5 every member of a request stands in help, README.md and a test", () => {
    const help = parseArguments(["edit", "--help"]);
    if (help.kind !== "help") throw new Error(help.kind);
    for (const member of requestMembers) {
      const word = new RegExp(`\\b${member}\\b`, "u");
      expect(help.text).toMatch(word);
      expect(sectionOf("fe edit"), member).toContain(`\`${member}\``);
      expect(tests, member).toMatch(new RegExp(`\\b${member}["]?[:\\]]`, "u"));
    }
  });

  it("Q5 a help fits a terminal of 80 columns, and no line of it is torn", () => {
    for (const { words } of commands) {
      const help = parseArguments([...words.split(" ").slice(1), "--help"]);
      if (help.kind !== "help") throw new Error(help.kind);
      const lines = help.text.split("\n");
      expect(
        lines.filter((line) => line.length > 80),
        words,
      ).toEqual([]);
      // A word or two alone, in the middle of a paragraph: a line was written too long.
      const torn = lines.filter((line, at) => /^\w+( \w+)?$/u.test(line) && lines[at + 1] !== "");
      expect(torn, words).toEqual([]);
    }
  });

  it("Q5 every exit code stands in help, README.md and docs/errors.md", () => {
    const help = parseArguments(["--help"]);
    if (help.kind !== "help") throw new Error(help.kind);
    const pages = { help: help.text, readme, errorsPage };
    for (const exit of [0, 130, 143, ...Object.values(exitCodes)]) {
      for (const [where, text] of Object.entries(pages)) {
        if (exit === 0 && where === "errorsPage") continue;
        expect(text, `${exit} in ${where}`).toMatch(new RegExp(`(?:^|[|,])\\s*${exit}\\b`, "mu"));
      }
    }
    for (const [code, exit] of Object.entries(exitCodes)) {
      expect(errorsPage).toContain(`## ${code}`);
      const row = new RegExp(`^\\| ${exit} \\|.*\`${code}\``, "mu");
      expect(errorsPage, `${code} in the table of exit codes`).toMatch(row);
    }
  });

  it("help and README.md say the same of every exit code", () => {
    const help = parseArguments(["--help"]);
    if (help.kind !== "help") throw new Error(help.kind);
    const [, table = ""] = help.text.split("Exit codes:\n");
    const told = [...table.matchAll(/^ {2}(\d+(?:, \d+)*) +(.+)$/gmu)];
    const rows = readme.matchAll(/^\| (\d+(?:, \d+)*) \| (.+) \|$/gmu);
    const inReadme = [...rows].map(([, exit, text = ""]) => [exit, text.replaceAll("`", "")]);
    expect(told.length).toBeGreaterThan(9);
    expect(told.map(([, exit, text]) => [exit, text])).toEqual(inReadme);
  });
});
