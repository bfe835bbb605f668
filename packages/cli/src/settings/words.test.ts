import { describe, expect, it } from "vitest";
import { UsageError } from "../usage-error.ts";
import { splitWords } from "./words.ts";

describe("splitWords()", () => {
  it.each([
    ["meld", ["meld"]],
    ["  code  --wait\t--diff ", ["code", "--wait", "--diff"]],
    [`"/opt/my tool/bin" -o 'a "b"' c"d e"'f g'`, ["/opt/my tool/bin", "-o", 'a "b"', "cd ef g"]],
    ["tool '' \"\"", ["tool", "", ""]],
    ["C:\\Tools\\merge.exe $HOME *.txt", ["C:\\Tools\\merge.exe", "$HOME", "*.txt"]],
  ])("splits %j", (text, words) => {
    expect(splitWords(text, "--tool")).toEqual(words);
  });

  it.each(["", " ", "''", "'a", 'a "b', `a"'`])("Q5 refuses %j", (text) => {
    expect(() => splitWords(text, "--tool")).toThrow(UsageError);
  });
});
