import { bytesSource } from "@fe/journal";
import { describe, expect, it } from "vitest";
import { maxExplainedBytes } from "./limits.ts";
import type { MissReport } from "./missed-text.ts";
import { explainMiss } from "./report.ts";
import { WorkMeter } from "./work-meter.ts";

const explain = (
  text: string,
  oldString: string,
  newString = "",
  encoding: "utf8" | "latin1" = "utf8",
): Promise<MissReport> =>
  explainMiss(
    {
      text: bytesSource(Buffer.from(text, encoding)),
      isUtf8: encoding === "utf8",
      oldString,
      newString,
      newBytes: Buffer.from(newString, encoding),
    },
    new WorkMeter(undefined),
  );

const reasonOf = async (...miss: Parameters<typeof explain>) => (await explain(...miss)).reason;

describe("explainMiss() gives the reason", () => {
  it.each([
    ["indentation", "if (x) {\n\tcall();\n}\n", "if (x) {\n    call();\n}"],
    ["white space at the end of a line", "a \nb\n", "a\nb"],
    ["white space", "let  x = 1;\n", "let x = 1;"],
    ["no-break or other special spaces", "a\u00a0b\n", "a b"],
    ["no-break or other special spaces", "a\u200bb\n", "ab"],
    ["curly quotes or dashes", "say \u201chi\u201d \u2013 it\u2019s\n", 'say "hi" - it\'s'],
    ["upper and lower case", "Hello World\n", "hello world"],
    ["Unicode normal form", "cafe\u0301\n", "café"],
    ["line ends", "a\r\nb\nc\n", "a\nb"],
  ])("B7 %s", async (difference, text, oldString) => {
    const reason = await reasonOf(text, oldString);
    expect(reason).toMatch(/^lines? \d/);
    expect(reason).toContain(` in ${difference} only`);
  });

  it("B7 names as few differences as explain the miss", async () => {
    expect(await reasonOf("Say \u201chi\u201d\n", 'say "hi"')).toBe(
      "line 1 differs in curly quotes or dashes and upper and lower case only",
    );
  });

  it("B7 says which lines", async () => {
    expect(await reasonOf("x\ny\nA\nB\n", "a\nb")).toMatch(/^lines 3 to 4 differ in upper/);
  });

  it.each([
    ["of cat -n", "     1\tfirst\n     2\tsecond"],
    ["of an agent's listing", "    12\u2192first\n    13\u2192second"],
    ["of grep -n", "1:first\n2:second"],
    ["with a bar", "1 | first\n2 | second"],
  ])("B7 line numbers %s", async (_name, oldString) => {
    const { reason, hint, nearest } = await explain("zero\nfirst\nsecond\n", oldString);
    expect(reason).toBe("the old text begins with line numbers, as a listing shows them");
    expect(hint).toBe("Give the text without line numbers");
    expect(nearest).toEqual([{ line: 2, text: "first" }]);
  });

  it("B7 line numbers and another difference", async () => {
    expect(await reasonOf("first  \nsecond\n", "1: First\n2: second")).toMatch(
      /line numbers, .*; lines 1 to 2 differ in white space and upper and lower case only/,
    );
  });

  it("B7 a byte order mark that is not there", async () => {
    expect(await reasonOf("first\n", "\ufefffirst")).toMatch(/byte order mark, which is not there/);
  });

  it("B7 a line break that is not there", async () => {
    expect(await reasonOf("first\nlast", "last\n")).toBe(
      "the old text ends with a line break that is not there",
    );
  });

  it("B7 the new text is there, and that this proves nothing", async () => {
    const { reason, nearest } = await explain("one\nfinal text\n", "draft text", "final text");
    expect(reason).toBe(
      "the new text is there, at line 2, which does not show that this edit was made",
    );
    expect(nearest).toEqual([{ line: 2, text: "final text" }]);
    expect(await reasonOf("a\nb\n", "x\ny", "a\nb")).toMatch(/^the new text is there, at line 1/);
    expect(await reasonOf("a\r\nb\r\n", "x\ny", "a\nb")).toBeUndefined();
  });

  it.each([
    ["DEBUG = True\nif x:\n    DEBUG = False\n", "DEBUG  = True", "DEBUG = False", 1, 3],
    ["\ta = 1\nb = 2\n", "    a = 1", "b = 2", 1, 2],
  ])("B7 a near miss before a new text that is there (%j)", async (...row) => {
    const [text, oldString, newString, line, other] = row;
    const { reason, hint, nearest } = await explain(text, oldString, newString);
    expect(reason).toMatch(new RegExp(`^line ${line} differs in (white space|indentation) only$`));
    expect(nearest?.[0]?.line).toBe(line);
    expect(hint).toContain(`the new text stands at line ${other}, but that does not show`);
  });

  it("B7 a near line beside a new text that is there", async () => {
    const { reason, nearest } = await explain("const a = 1;\nfinal\n", "const b = 1;", "final");
    expect(reason).toMatch(/^the new text is there, at line 2/);
    expect(nearest?.map(({ line }) => line)).toEqual([2, 1]);
  });

  it.each([
    ["HTML entities", 'if (a < b) say("x");\n', "if (a &lt; b) say(&quot;x&quot;);"],
    ["in place of a line break", "a\n\tb\n", "a\\n\\tb"],
    ["in place of a line break, a tab or a quote", 'say("x")\n', 'say(\\"x\\")'],
    ["code fence", "one\ntwo\n", "```js\none\ntwo\n```\n"],
  ])("B7 %s", async (what, text, oldString) => {
    expect(await reasonOf(text, oldString)).toContain(what);
    expect(await reasonOf("zero\n", oldString)).toBeUndefined();
  });

  it("B7 blank lines, alone or with something else", async () => {
    expect(await reasonOf("x\none\ntwo\n", "one\n\ntwo")).toBe(
      "lines 2 to 3 differ in blank lines only",
    );
    expect(await reasonOf("\tone\n\n\ntwo\n", "  one\n\ntwo")).toBe(
      "lines 1 to 4 differ in blank lines and indentation only",
    );
    expect(await reasonOf("one\n", "\n\none\n\n")).toBe("line 1 differs in blank lines only");
  });

  it("B7 not the new text, if it is part of the old one or too short to tell", async () => {
    expect(await reasonOf("let  x = 1; y\n", "let x = 1;", "x = 1")).toMatch(/white space/);
    expect(await reasonOf("ab\n", "cd", "ab")).toBeUndefined();
  });
});

describe("explainMiss() shows the lines that differ", () => {
  it("B7 the first ones, and no line that is the same", async () => {
    const there = ["def a():", "\treturn 1", "", "\tx", "\ty", "\tz"];
    const given = there.map((line) => line.replace("\t", "  "));
    const { nearest, differing } = await explain(there.join("\n"), given.join("\n"));
    expect(nearest).toEqual([{ line: 2, text: "\treturn 1" }]);
    expect(differing).toEqual([
      { line: 2, there: "\treturn 1", given: "  return 1" },
      { line: 4, there: "\tx", given: "  x" },
      { line: 5, there: "\ty", given: "  y" },
    ]);
  });

  it("B7 around the first difference of a long line, whole characters, with marks", async () => {
    const line = `${"😀 é ".repeat(900)}the\u00a0word ${"😀".repeat(900)}`;
    const { differing } = await explain(line, line.replace("\u00a0", " "));
    const [{ there = "", given = "" } = {}] = differing ?? [];
    for (const text of [there, given]) {
      expect([...text].length).toBeLessThan(210);
      expect(text).toMatch(/^….*…$/u);
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }
    expect(there).toContain("the\u00a0word");
    expect(given).toContain("the word");
    const part = await explain(line, "é the word");
    expect(part.differing?.[0]).toMatchObject({ given: "é the word" });
    expect(part.differing?.[0]?.there).toContain("é the\u00a0word");
  });
});

describe("explainMiss() gives near lines", () => {
  it("B7 the most similar ones first, at most three", async () => {
    const text = [
      "export function one() {}",
      "const total = compute(items, 12);",
      "const totals = compute(item, 12);",
      "unlike everything",
      "const total = compute(items, 13);",
      "const total = computed(items, 14);",
    ].join("\n");
    const { reason, nearest } = await explain(text, "const total = compute(items, 1);");
    expect(reason).toBeUndefined();
    expect(nearest).toHaveLength(3);
    expect(nearest?.map(({ line }) => line)).not.toContain(4);
    expect(nearest?.[0]).toEqual({ line: 2, text: "const total = compute(items, 12);" });
  });

  it("B7 by the longest line of the text", async () => {
    const { nearest } = await explain(
      "{\nthe important line of all\n}\n",
      "{\nthe importent line of all\n}}\n",
    );
    expect(nearest).toEqual([{ line: 2, text: "the important line of all" }]);
  });

  it("none, if nothing resembles it", async () => {
    expect(await explain("abc\ndef\n", "xyz")).toEqual({
      hint: "Read the file again and give the text exactly as it stands there",
    });
  });

  it("cuts long lines, never within a character", async () => {
    const line = `${"needle ".repeat(30)}${"😀".repeat(300)}`;
    const { nearest } = await explain(`${line}\n`, `${"needle ".repeat(30)}X`);
    const [shown] = nearest ?? [];
    expect([...(shown?.text ?? "")]).toHaveLength(200);
    expect(shown?.text).not.toMatch(/\p{Surrogate}/u);
  });

  it("in a file that is not UTF-8, too", async () => {
    const { reason, nearest } = await explain("caf\xe9  = 1\n", "= 1 ", "", "latin1");
    expect(reason ?? nearest).toBeDefined();
  });
});

describe("explainMiss() is bounded", () => {
  it("does not look into a text over 2 MiB, and says so", async () => {
    const report = await explain("x".repeat(maxExplainedBytes + 1), "y");
    expect(report.hint).toMatch(/too large to look for similar lines/);
    expect(report.reason).toBeUndefined();
  });

  it("does not look for a text over 16 Ki characters, and says so", async () => {
    expect((await explain("x", "y".repeat(20_000))).hint).toMatch(/too long to look for/);
  });

  it("lets others have their turn meanwhile", async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await explain("const value = compute(12);\n".repeat(70_000), "const volume = komputer(12);");
    isDone = true;
    expect(turns).toBeGreaterThan(20);
  });
});
