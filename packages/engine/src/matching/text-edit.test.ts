import { describe, expect, it } from "vitest";
import { maxEdits } from "./limits.ts";
import { type TextEdit, validateEdits } from "./text-edit.ts";

const good: TextEdit = { oldString: "old", newString: "new" };

describe("validateEdits()", () => {
  it("finds nothing wrong with good edits", () => {
    const edits: TextEdit[] = [
      good,
      { oldString: "😀", newString: "" },
      { oldString: "a", newString: "b", expectedReplacements: 1 },
      { oldString: "a", newString: "b", replaceAll: true, expectedReplacements: 7 },
    ];
    expect(validateEdits(edits)).toBeUndefined();
  });

  it("Q5 refuses an empty old text, also with replaceAll (langchain-ai/deepagents#5589)", () => {
    for (const replaceAll of [false, true]) {
      const problem = validateEdits([{ oldString: "", newString: "x", replaceAll }]);
      expect(problem).toMatchObject({ index: 0, problem: "the old text is empty" });
    }
  });

  it("Q5 refuses what changes nothing", () => {
    expect(validateEdits([good, { oldString: "x", newString: "x" }])).toMatchObject({
      index: 1,
      problem: "old and new text are the same",
    });
  });

  it("Q5 refuses half a surrogate pair, old or new, and nothing that is whole", () => {
    for (const half of ["\ud83d", "\ude00", "a\ud83db", "\ude00\ud83d"]) {
      expect(validateEdits([{ oldString: half, newString: "x" }])?.problem).toMatch(/surrogate/);
      expect(validateEdits([{ oldString: "x", newString: half }])?.problem).toMatch(/surrogate/);
    }
    expect(validateEdits([{ oldString: "\ud83d\ude00", newString: "x" }])).toBeUndefined();
  });

  it("Q5 refuses no edits, and too many", () => {
    expect(validateEdits([])).toMatchObject({ index: -1 });
    expect(validateEdits(Array.from({ length: maxEdits }, () => good))).toBeUndefined();
    expect(validateEdits(Array.from({ length: maxEdits + 1 }, () => good))?.index).toBe(-1);
  });

  it("Q5 refuses numbers that are no count, and many without all being replaced", () => {
    for (const expectedReplacements of [0, -1, 1.5, Number.NaN, 2 ** 60]) {
      const problem = validateEdits([{ ...good, replaceAll: true, expectedReplacements }]);
      expect(problem?.problem).toMatch(/expected number of replacements/);
    }
    expect(validateEdits([{ ...good, expectedReplacements: 2 }])?.problem).toMatch(/only one/);
  });

  it("gives a hint with every problem", () => {
    for (const edits of [[], [{ ...good, oldString: "" }], [{ ...good, newString: "old" }]]) {
      expect(validateEdits(edits)?.hint).toMatch(/^[A-Z].*[^.]$/);
    }
  });
});
