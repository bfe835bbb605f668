import { bytesSource } from "@fe/journal";
import { describe, expect, it } from "vitest";
import { maxExplainedBytes } from "./limits.ts";
import { explainMiss, type MissReport } from "./report.ts";
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

  it("B7 the new text is already there", async () => {
    const { reason, nearest } = await explain("one\nfinal text\n", "draft text", "final text");
    expect(reason).toBe("the new text is already there, at line 2");
    expect(nearest).toEqual([{ line: 2, text: "final text" }]);
    expect(await reasonOf("a\r\nb\r\n", "x\ny", "a\nb")).toMatch(/already there, at line 1/);
  });

  it("B7 not the new text, if it is part of the old one or too short to tell", async () => {
    expect(await reasonOf("let  x = 1; y\n", "let x = 1;", "x = 1")).toMatch(/white space/);
    expect(await reasonOf("ab\n", "cd", "ab")).toBeUndefined();
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
