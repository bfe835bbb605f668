import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { replaceIn } from "./contenders/contender.ts";
import { fits, jobFor, kinds, makeFile, manyPlaces, mebibyte, sizeName } from "./sample.ts";

const folder = mkdtempSync(path.join(tmpdir(), "fe-bench-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("makeFile() and jobFor()", () => {
  it.each(kinds)("make an edit that is there, and its way back: %s", (kind) => {
    const file = path.join(folder, "file.txt");
    makeFile(file, kind, mebibyte);
    const before = readFileSync(file, "utf8");
    const after = replaceIn(before, jobFor(file, kind, false));
    expect(Math.sign(after.length - before.length)).toBe(
      { "same length": 0, shrink: -1 }[kind as string] ?? 1,
    );
    expect(after).not.toBe(before);
    expect(replaceIn(after, jobFor(file, kind, true))).toBe(before);
  });

  it("put in as many places as are to be replaced, and one only else", () => {
    const file = path.join(folder, "file.txt");
    makeFile(file, "replace all", mebibyte);
    expect(readFileSync(file, "utf8").split("<<alpha>>")).toHaveLength(manyPlaces + 1);
    makeFile(file, "same length", mebibyte);
    expect(readFileSync(file, "utf8").split("<<alpha>>")).toHaveLength(2);
  });
});

describe("fits()", () => {
  it("leaves out what a small file has no room for", () => {
    expect(fits("replace all", 4096)).toBe(false);
    expect(fits("ten edits", 4096)).toBe(true);
  });
});

describe("sizeName()", () => {
  it("names sizes by their unit", () => {
    expect([4096, mebibyte, 128 * mebibyte].map(sizeName)).toEqual(["4 KiB", "1 MiB", "128 MiB"]);
  });
});
