import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import {
  blanksLegend,
  differingLines,
  escapeLine,
  escapeText,
  quoteForShell,
  showBlanks,
} from "./display.ts";

describe("escapeText()", () => {
  it.each([
    ["notes.md", "notes.md"],
    ["a\nb\r\tc", "a\\nb\\r\\tc"],
    ["\u001b[31mred\u007f\u009b", "\\x1b[31mred\\x7f\\x9b"],
    ["exe.\u202egpj", "exe.\\u202egpj"],
    ["\u2066x\u2069\u200e\u061c", "\\u2066x\\u2069\\u200e\\u061c"],
    ["a\u2028b\ufeff\u200b", "a\\u2028b\\ufeff\\u200b"],
    ["caf\udce9", "caf\\xe9"],
    ["\ud800", "\\ud800"],
    ["\u{e0041}", "\\u{e0041}"],
    ["na\u00efve \u65e5\u672c \u0646\u0627\u0645", "na\u00efve \u65e5\u672c \u0646\u0627\u0645"],
    ["\u{1f469}\u200d\u{1f4bb}", "\u{1f469}\u200d\u{1f4bb}"],
    ["C:\\x", "C:\\x"],
  ])("makes %j safe to show", (text, expected) => {
    expect(escapeText(text)).toBe(expected);
  });
});

describe("escapeLine()", () => {
  it("leaves tabs, and nothing else that moves a cursor", () => {
    expect(escapeLine("\ta\u202e\n")).toBe("\ta\\u202e\\n");
  });
});

describe("quoteForShell()", () => {
  it.each([
    ["/home/a-b/c.txt", "/home/a-b/c.txt"],
    ["", "''"],
    ["a b", "'a b'"],
    ["it's $HOME", "'it'\\''s $HOME'"],
    ["a\nb'\\", "$'a\\x0ab\\'\\\\'"],
    ["~user", "'~user'"],
    ["caf\udce9", "$'caf\\xe9'"],
  ])("quotes %j", (word, expected) => {
    expect(quoteForShell(word)).toBe(expected);
  });

  it("gives a word that bash reads back", (context) => {
    needs(context, "shell");
    const words = ["a b", "it's", "a\nb'\\c", "\u202ex", '$(x)`y`"z"', "*?[!#&;|<>", "\u001b[0m"];
    for (const word of words) {
      const printed = execFileSync("bash", ["-c", `printf %s ${quoteForShell(word)}`]);
      expect(printed.toString()).toBe(word);
    }
  });
});

describe("showBlanks()", () => {
  it("tells apart what looks alike", () => {
    expect(showBlanks("\ta b  c ")).toBe("→a b··c·");
    expect(showBlanks("a\u00a0b\u200bc\u202ed")).toBe("a\\u00a0b\\u200bc\\u202ed");
    expect(showBlanks("\u00e9")).not.toBe(showBlanks("e\u0301"));
    expect(showBlanks(" ")).toBe("·");
    expect(showBlanks("")).toBe("");
  });
});

describe("differingLines()", () => {
  it("puts the two lines below each other, and explains its marks", () => {
    const lines = differingLines([
      { line: 9, there: "\tx", given: "  x" },
      { line: 10, there: "y ", given: "y" },
    ]);
    expect(lines).toEqual([
      `Where they differ (${blanksLegend}):`,
      " 9 in the file | →x",
      "   as given    | ··x",
      "10 in the file | y·",
      "   as given    | y",
    ]);
    expect(differingLines([])).toEqual([]);
  });
});
