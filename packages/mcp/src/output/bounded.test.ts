import type { EditResult, UnifiedDiff } from "@fe/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editResult } from "../../../engine/test/samples.ts";
import { maxListedMatches, maxShownDiff } from "../limits.ts";
import { boundedEdit } from "./bounded.ts";

const header = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n";

function diffOf(bytes: Uint8Array): UnifiedDiff {
  return { bytes, truncated: false };
}

/** What is left of a diff, and what is said of it. */
function bounded(text: string | Uint8Array): { text: string; cut: boolean; bytes?: number } {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const { result, diffBytes } = boundedEdit({ ...editResult, diff: diffOf(bytes) });
  const { diff } = result;
  return {
    text: Buffer.from(diff?.bytes ?? []).toString(),
    cut: diff?.truncated === true,
    ...(diffBytes === undefined ? {} : { bytes: diffBytes }),
  };
}

describe("boundedEdit()", () => {
  it("leaves what is short as it is", () => {
    const result: EditResult = { ...editResult, diff: diffOf(Buffer.from(`${header}-a\n+b\n`)) };
    const { result: same, diffBytes } = boundedEdit(result);
    expect(same).toEqual(result);
    expect(diffBytes).toBeUndefined();
  });

  it("lists no more places than an error does, and says so", () => {
    const matches = Array.from({ length: 900 }, (_, line) => ({ line, column: 1, byteOffset: 0 }));
    const { result } = boundedEdit({ ...editResult, matches, replacements: 900 });
    expect(result.matches).toEqual(matches.slice(0, maxListedMatches));
    expect(result).toMatchObject({ matchesTruncated: true, replacements: 900 });
  });

  it.each([
    ["that ends", "\n", ""],
    ["without a line break at its end", "", "\\ No newline at end of file\n"],
  ])("shows a line of 400 KB %s around what changes", (_what, _end, remark) => {
    const [left, right] = ["x".repeat(250_000), "y".repeat(150_000)];
    const whole = `${header}-${left}old${right}\n${remark}+${left}newer${right}\n${remark}`;
    const { text, cut, bytes } = bounded(whole);
    expect(cut).toBe(true);
    expect(bytes).toBe(whole.length);
    expect(text.length).toBeLessThan(3000);
    expect(text).toMatch(/\n-\[\.\.\. \d+ more \.\.\.\]x+oldy+\[\.\.\. \d+ more \.\.\.\]\n/u);
    expect(text).toMatch(/\n\+\[\.\.\. \d+ more \.\.\.\]x+newery+\[\.\.\. \d+ more \.\.\.\]\n/u);
  });

  it("keeps whole hunks, and nothing of the one that does not fit", () => {
    const hunk = (at: number) => `@@ -${at} +${at} @@\n-${"a".repeat(90)}\n+${"b".repeat(90)}\n`;
    const whole = `--- a/f\n+++ b/f\n${Array.from({ length: 500 }, (_, at) => hunk(at)).join("")}`;
    const { text, cut } = bounded(whole);
    expect(cut).toBe(true);
    expect(whole.startsWith(text)).toBe(true);
    expect(whole.slice(text.length)).toMatch(/^@@ /u);
    expect(text.length).toBeGreaterThan(maxShownDiff - 1000);
  });

  it("shows as much of a single hunk as there is place for", () => {
    const whole = `${header}${"-aaaa\n".repeat(9000)}`;
    const { text } = bounded(whole);
    expect(text.length).toBeGreaterThan(maxShownDiff - 100);
    const shown = text.match(/^-aaaa$/gmu)?.length ?? 0;
    expect(text.endsWith(`\n-aaaa\n[... ${9000 - shown} more lines are removed ...]\n`)).toBe(true);
  });

  it.each([
    ["both are long", 9000, 9000],
    ["little goes", 10, 9000],
    ["little comes", 9000, 10],
  ])("B3 shows both sides of a single hunk, where %s", (_what, goes, comes) => {
    const end = "\\ No newline at end of file\n";
    const [old, newer] = ["-old\n".repeat(goes) + end, "+new\n".repeat(comes) + end];
    const { text, cut } = bounded(`${header} same\n-x\n+y\n same\n${old}${newer}`);
    expect(cut).toBe(true);
    // What fits before it is there whole.
    expect(text.startsWith(`${header} same\n-x\n+y\n same\n-old\n`)).toBe(true);
    const left = [text.match(/^-old$/gmu), text.match(/^\+new$/gmu)].map((all) => all?.length ?? 0);
    const [removed = 0, added = 0] = left;
    for (const [shown, all, what] of [
      [removed, goes, "removed"],
      [added, comes, "added"],
    ] as const) {
      expect(shown).toBeGreaterThanOrEqual(Math.min(all, 1600));
      const more = `\n[... ${all - shown} more lines are ${what} ...]\n`;
      expect(text.includes(more), what).toBe(shown < all);
    }
    expect(text.indexOf("+new")).toBeGreaterThan(text.lastIndexOf("-old"));
    expect(text.length).toBeGreaterThan(maxShownDiff - 200);
  });

  it("cuts bytes that are no UTF-8 as bytes", () => {
    const gbk = Buffer.from("d6d0".repeat(2000), "hex");
    const head = Buffer.from(`${header}-`);
    const { result } = boundedEdit({ ...editResult, diff: diffOf(Buffer.concat([head, gbk])) });
    const left = Buffer.from(result.diff?.bytes ?? []);
    expect(left.subarray(0, head.length + 100)).toEqual(
      Buffer.concat([head, gbk]).subarray(0, head.length + 100),
    );
    expect(left.toString("latin1")).toMatch(/\[\.\.\. 3000 more \.\.\.\]$/u);
  });

  it("never makes a diff longer than an answer may be, nor cuts a character", () => {
    const line = fc.tuple(
      fc.constantFrom(" ", "-", "+", "@@ ", "\\ "),
      // Found in the answer, this character would show a cut one.
      fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\ufffd")),
    );
    const long = line.map(([sign, text]) => `${sign}${text.repeat(800)}\n`);
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            line.map((each) => `${each.join("")}\n`),
            long,
          ),
        ),
        (lines) => {
          const { text } = bounded(lines.join(""));
          expect(text.length).toBeLessThanOrEqual(maxShownDiff);
          expect(text).not.toContain("\ufffd");
        },
      ),
      { numRuns: 100 },
    );
  });
});
