import { type ByteSource, bytesSource, SourceChangedError } from "@fe/journal";
import { describe, expect, it } from "vitest";
import { bytesOf, edit, failIn, locateIn, textAfter, usual } from "../../test/locate-helper.ts";
import { locate } from "./locate.ts";

describe("locate() with one place", () => {
  it("S5 replaces the text and says where it was", async () => {
    const located = await locateIn("first\nsecond draft\n", [edit("draft", "final")]);
    expect(located.after.toString()).toBe("first\nsecond final\n");
    expect(located).toMatchObject({
      replacements: 1,
      matchCounts: [1],
      matches: [{ line: 2, column: 8, byteOffset: 13 }],
      matchesTruncated: false,
      lineEndings: "lf",
    });
  });

  it("S5 splices only the bytes that change", async () => {
    const { splices } = await locateIn("one two three", [edit("one two three", "one 2 three")]);
    expect(splices).toEqual([{ offsetBytes: 4, removedBytes: 3, inserted: Buffer.from("2") }]);
  });

  it("S6 finds the text again among changes that somebody else made meanwhile", async () => {
    expect(await textAfter("changed\nsecond draft\nnew\n", [edit("draft", "final")])).toBe(
      "changed\nsecond final\nnew\n",
    );
  });

  it("S6 refuses if the text has become ambiguous or is gone", async () => {
    expect((await failIn("draft\ndraft\n", [edit("draft", "final")])).kind).toBe("ambiguous");
    expect((await failIn("first\n", [edit("draft", "final")])).kind).toBe("no-match");
  });

  it("B7 counts overlapping places and names their lines (earendil-works/pi#9697)", async () => {
    const error = await failIn("foo\nfoo\nfoo\n", [edit("foo\nfoo\n", "x")]);
    expect(error).toMatchObject({ kind: "ambiguous", editIndex: 0, count: 2 });
    expect(error.positions.map(({ line }) => line)).toEqual([1, 2]);
    expect(error.message).toBe("the old text is there 2 times, at lines 1, 2");
    expect((await failIn("aaa", [edit("aa", "b")])).count).toBe(2);
  });

  it("B7 lists 20 of many places and counts all", async () => {
    const error = await failIn("x\n".repeat(50), [edit("x", "y")]);
    expect(error.count).toBe(50);
    expect(error.positions).toHaveLength(20);
    expect(error.message).toMatch(/, 19, 20 and more$/);
  });

  it("ends counting beyond the limit of places and says so", async () => {
    const error = await failIn("a".repeat(100), [edit("aa", "b")], { maxPlaces: 10 });
    expect(error).toMatchObject({ kind: "ambiguous", count: 11, countIsAtLeast: true });
    expect(error.message).toMatch(/more than 10 times/);
  });

  it("takes special replacement patterns literally (anomalyco/opencode#45892)", async () => {
    for (const newString of ["$&", "$$", "$1", "$`", "$'", "\\0", "$<name>"]) {
      expect(await textAfter("a old b", [edit("old", newString)])).toBe(`a ${newString} b`);
      expect(await textAfter("old old", [edit("old", newString, { replaceAll: true })])).toBe(
        `${newString} ${newString}`,
      );
    }
  });

  it("removes the text if the new one is empty", async () => {
    expect(await textAfter("a draft b", [edit(" draft", "")])).toBe("a b");
    expect(await textAfter("all", [edit("all", "")])).toBe("");
  });

  it("misses everything in an empty file", async () => {
    const error = await failIn("", [edit("a", "b")]);
    expect(error).toMatchObject({
      kind: "no-match",
      count: 0,
      hint: expect.stringMatching(/is empty, and an edit only replaces/),
    });
  });

  it("counts columns in code points, and in bytes if the file is not UTF-8", async () => {
    const astral = await locateIn("é😀x=1\n", [edit("x=", "y=")]);
    expect(astral.matches).toEqual([{ line: 1, column: 3, byteOffset: 6 }]);
    const latin = await locateIn(Buffer.from("caf\xe9 = 1\n", "latin1"), [edit("= 1", "= 2")]);
    expect(latin.matches).toEqual([{ line: 1, column: 6, byteOffset: 5 }]);
  });
});

describe("locate() with all places", () => {
  it("replaces from left to right, not overlapping, and reports that number", async () => {
    const located = await locateIn("aaaaa", [edit("aa", "b", { replaceAll: true })]);
    expect(located.after.toString()).toBe("bba");
    expect(located).toMatchObject({ replacements: 2, matchCounts: [2] });
  });

  it("S7 needs the count of the first reading again", async () => {
    const all = [edit("a", "b", { replaceAll: true })];
    const { matchCounts } = await locateIn("a a a", all);
    expect((await locateIn("a - a - a", all, { requiredCounts: matchCounts })).replacements).toBe(
      3,
    );
    const error = await failIn("a a", all, { requiredCounts: matchCounts });
    expect(error).toMatchObject({ kind: "count-mismatch", count: 2, expected: 3 });
    expect(error.message).toBe("the old text is there 2 times, not 3 times");
  });

  it("S7 needs one place to be one, whatever an earlier reading counted", async () => {
    const located = await locateIn("a", [edit("a", "b")], { requiredCounts: [1] });
    expect(located.replacements).toBe(1);
  });

  it("needs the expected number", async () => {
    const of = (expectedReplacements: number) => [
      edit("a", "b", { replaceAll: true, expectedReplacements }),
    ];
    expect((await locateIn("a a", of(2))).replacements).toBe(2);
    expect(await failIn("a a", of(3))).toMatchObject({
      kind: "count-mismatch",
      count: 2,
      expected: 3,
      positions: [{ line: 1 }, { line: 1 }],
    });
    expect((await failIn("b", of(3))).kind).toBe("no-match");
  });

  it("lists the first 1000 places and says that there are more", async () => {
    const located = await locateIn("a\n".repeat(1001), [edit("a", "b", { replaceAll: true })]);
    expect(located.matches).toHaveLength(1000);
    expect(located.matches[999]).toEqual({ line: 1000, column: 1, byteOffset: 1998 });
    expect(located).toMatchObject({ matchesTruncated: true, replacements: 1001 });
  });

  it("refuses more places than a record can hold, over all edits", async () => {
    const all = edit("a", "b", { replaceAll: true });
    const options = { maxPlaces: 3 };
    expect((await locateIn("aaa", [all], options)).replacements).toBe(3);
    expect((await failIn("aaaa", [all], options)).kind).toBe("too-many-places");
    const second = await failIn("aaa c", [all, edit("c", "d")], options);
    expect(second).toMatchObject({ kind: "too-many-places", editIndex: 1 });
  });

  it("joins places that touch", async () => {
    const { splices } = await locateIn("ababab", [edit("ab", "cd", { replaceAll: true })]);
    expect(splices).toHaveLength(1);
  });
});

describe("locate() with the size of the result", () => {
  it("S30 refuses a result that is too large, and names its size", async () => {
    const options = { maxAfterBytes: 10 };
    expect((await locateIn("12345", [edit("5", "567890")], options)).after).toHaveLength(10);
    expect(await failIn("12345", [edit("5", "5678901")], options)).toMatchObject({
      kind: "after-too-large",
      afterSizeBytes: 11,
    });
  });

  it("S30 refuses it before it is built, however large it would be", async () => {
    const huge = edit("a", "x".repeat(1024 * 1024), { replaceAll: true });
    const error = await failIn("a ".repeat(100_000), [huge]);
    expect(error.afterSizeBytes).toBe(100_000 * (1024 * 1024 + 1));
  });

  it("lets a text on the way be larger than the result", async () => {
    const edits = [edit("a", "x".repeat(15)), edit("x".repeat(15), "b")];
    expect((await locateIn("a", edits, { maxAfterBytes: 10 })).after.toString()).toBe("b");
    const error = await failIn("a", [edit("a", "x".repeat(25)), edit("b", "c")], {
      maxAfterBytes: 10,
    });
    expect(error).toMatchObject({ kind: "after-too-large", editIndex: 0 });
  });
});

describe("locate() with several edits", () => {
  it("B5 applies each to the text so far (tailcallhq/forgecode#3355)", async () => {
    const edits = [
      edit("one", "number one"),
      edit("two", "2"),
      edit("three", ""),
      edit("number one", "1"),
      edit("five", "the fifth"),
    ];
    expect(await textAfter("one two three four five", edits)).toBe("1 2  four the fifth");
  });

  it("B5 lets a later edit change what an earlier one put in, and text around it", async () => {
    const edits = [edit("b", "xyz"), edit("axy", "-"), edit("zc", "+")];
    const located = await locateIn("abc", edits);
    expect(located.after.toString()).toBe("-+");
    expect(located.matches.map(({ byteOffset }) => byteOffset)).toEqual([1, 0, 0]);
  });

  it("B5 names the failing edit, by index and in words", async () => {
    const edits = [edit("a", "b"), edit("nowhere", "x"), edit("c", "d")];
    const error = await failIn("a c", edits);
    expect(error).toMatchObject({ kind: "no-match", editIndex: 1 });
    expect(error.message).toMatch(/^the old text of edit 2 of 3 is not there/);
  });

  it("B5 needs each to be unique in the text so far", async () => {
    const edits = [edit("a", "b"), edit("b", "c")];
    expect(await failIn("a b", edits)).toMatchObject({ kind: "ambiguous", editIndex: 1, count: 2 });
    expect(await textAfter("a b", edits.toReversed())).toBe("b c");
  });

  it("B5 gives no splices if the edits together change nothing", async () => {
    const located = await locateIn("- abc -", [edit("abc", "xyz"), edit("xyz", "abc")]);
    expect(located.splices).toEqual([]);
    expect(located.replacements).toBe(2);
    const partly = await locateIn("- abc -", [edit("abc", "xyz"), edit("xyz", "axc")]);
    expect(partly.splices).toEqual([
      { offsetBytes: 3, removedBytes: 1, inserted: Buffer.from("x") },
    ]);
  });
});

describe("locate() and its source", () => {
  const large = (needle: string) => "line of text\n".repeat(800_000) + needle;

  it("reads a large source in pieces", async () => {
    const content = bytesOf(large("draft"));
    const inner = bytesSource(content);
    let largest = 0;
    const source: ByteSource = {
      sizeBytes: content.length,
      read(buffer, position) {
        largest = Math.max(largest, buffer.length);
        return inner.read(buffer, position);
      },
    };
    const located = await locate(source, [edit("draft", "final")], usual);
    expect(located.matches).toEqual([
      { line: 800_001, column: 1, byteOffset: content.length - "draft".length },
    ]);
    expect(largest).toBeLessThanOrEqual(1024 * 1024);
  });

  it("says so if the source ends early", async () => {
    for (const sizeBytes of [5, 9 * 1024 * 1024]) {
      const source: ByteSource = { sizeBytes, read: async () => 2 };
      await expect(locate(source, [edit("a", "b")], usual)).rejects.toThrow(SourceChangedError);
    }
  });

  it("stops when its signal aborts", async () => {
    const controller = new AbortController();
    const content = bytesOf(large("draft"));
    let reads = 0;
    const source: ByteSource = {
      sizeBytes: content.length,
      read(buffer, position) {
        reads += 1;
        if (reads === 2) controller.abort();
        return bytesSource(content).read(buffer, position);
      },
    };
    const { signal } = controller;
    await expect(locate(source, [edit("draft", "x")], { ...usual, signal })).rejects.toThrow(
      /abort/i,
    );
    expect(reads).toBe(2);
    await expect(locate(source, [edit("draft", "x")], { ...usual, signal })).rejects.toThrow();
    expect(reads).toBe(2);
  });

  it("lets others have their turn though everything is in memory", async () => {
    const content = bytesOf(large("draft"));
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await locate(bytesSource(content), [edit("draft", "final")], usual);
    isDone = true;
    expect(turns).toBeGreaterThan(9);
  });
});
