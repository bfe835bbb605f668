import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type HintName, type HintWords, hintNames, inWords } from "./hint-words.ts";

const packages = path.resolve(import.meta.dirname, "..", "..");

/** Every source of the packages whose texts the engine passes on, without its comments. */
function sources(): { file: string; code: string }[] {
  return ["engine", "journal", "reconcile"].flatMap((name) => {
    const folder = path.join(packages, name, "src");
    return readdirSync(folder, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => {
        const text = readFileSync(path.join(folder, file), "utf8");
        return { file, code: text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gmu, "") };
      });
  });
}

/** What only the command or the server has. */
const foreign =
  /\bfe (?:recovery|doctor|edit|identity)\b|["'`(\s]--[a-z]+|\b(?:recovery_[a-z]+|edit_file)\b/u;

/** These are values of results, not names of tools. */
const valueOfResult = /recovery_required/gu;

const words = Object.fromEntries(
  hintNames.map((name) => [name, (value = "") => `<${name}|${value}>`]),
) as Record<HintName, (value?: string) => string> satisfies HintWords;

describe("hints", () => {
  it("Q5 name what the library has, and nothing of the command or the server", () => {
    const found = sources()
      .map(({ file, code }) => ({
        file,
        match: foreign.exec(code.replace(valueOfResult, ""))?.[0],
      }))
      .filter(({ match }) => match !== undefined);
    expect(found).toEqual([]);
    for (const text of ["see fe recovery list", "(--encoding x)", "the tool recovery_list"]) {
      expect(foreign.test(text), text).toBe(true);
    }
  });

  it("Q5 have words elsewhere for every name of the library that they tell", () => {
    const known = new Set<string>(hintNames);
    const told = sources().flatMap(({ code }) =>
      [
        ...code.matchAll(
          /\\?`(recovery\.\w+|after\.sha256|afterSha256|beforeSha256|keep: |encoding)[^`]*\\?`/gu,
        ),
      ].map(([, name = ""]) => name.replace(": ", "")),
    );
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("inWords()", () => {
  it("puts other words for names of the library, alone or with a value", () => {
    const hint = 'See `recovery.list`; then `keep: "current"`, or `encoding: "utf-16le"`';
    expect(inWords(words, hint)).toBe(
      "See <recovery.list|>; then <keep|current>, or <encoding|utf-16le>",
    );
  });

  it("leaves everything else in backticks", () => {
    for (const hint of ["Run `chmod 700`", "Look into `saved`", "`keep`ers", "`constructor`"]) {
      expect(inWords(words, hint)).toBe(hint.replace("`keep`", "<keep|>"));
    }
  });
});
