import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterSource, bytesSource, type Splice } from "@fe/journal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../test/apply-patch.ts";
import { bytesOf, type Content, edit, locateIn } from "../../test/locate-helper.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { WorkMeter } from "./work-meter.ts";

async function diffOf(content: Content, splices: readonly Splice[], maxBytes?: number) {
  const before = bytesSource(bytesOf(content));
  return unifiedDiff(before, splices, { path: "f" }, new WorkMeter(undefined), maxBytes);
}

async function textOf(content: Content, oldString: string, newString: string, all = false) {
  const edits = [edit(oldString, newString, { replaceAll: all })];
  const { diff } = await locateIn(content, edits, { diffPath: "f" });
  return Buffer.from(diff?.bytes ?? []).toString();
}

async function imageAfter(before: Uint8Array, splices: readonly Splice[]): Promise<Buffer> {
  const source = afterSource(bytesSource(before), splices);
  const after = Buffer.alloc(source.sizeBytes);
  await source.read(after, 0);
  return after;
}

/** Few kinds of byte, so that lines are short, alike, and end in every way. */
const content = fc.string({
  unit: fc.constantFrom("a", "b", "\n", "\n", "\n", "\r", "\u00e9", "\0"),
  maxLength: 120,
});
const cases = fc
  .record({
    content,
    places: fc.array(fc.tuple(fc.nat(120), fc.nat(12), content), { maxLength: 6 }),
  })
  .map(({ content, places }) => {
    const before = Buffer.from(content, "latin1");
    const splices: Splice[] = [];
    let end = -1;
    for (const [offset, removed, inserted] of places.sort(([one], [other]) => one - other)) {
      if (offset <= end || offset > before.length) continue;
      const removedBytes = Math.min(removed, before.length - offset);
      if (removedBytes === 0 && inserted === "") continue;
      splices.push({
        offsetBytes: offset,
        removedBytes,
        inserted: Buffer.from(inserted, "latin1"),
      });
      end = offset + removedBytes;
    }
    return { before, splices };
  });

describe("unifiedDiff()", () => {
  it("B6 shows a change with three lines around it", async () => {
    const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(await textOf(text, "5", "five\nand")).toBe(
      "--- a/f\n+++ b/f\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+and\n 6\n 7\n 8\n",
    );
    expect((await textOf("x\nx\n", "x", "y", true)).split("\n").slice(3, 7)).toEqual([
      ...["-x", "-x", "+y", "+y"],
    ]);
    // Lines that stay are no part of the change, though the texts have them.
    expect(await textOf(text, "4\n5\n6\n", "4\n6\n")).toBe(
      "--- a/f\n+++ b/f\n@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n",
    );
  });

  it("B6 shows an empty file, a missing last newline, CR and BOM as they are", async () => {
    const created = await diffOf("", [
      { offsetBytes: 0, removedBytes: 0, inserted: Buffer.from("a\n") },
    ]);
    expect(Buffer.from(created.bytes).toString()).toBe("--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
    const mark = "\\ No newline at end of file\n";
    expect(await textOf("a\nb", "b", "c")).toBe(
      `--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n${mark}+c\n${mark}`,
    );
    expect(await textOf("a\nb\n", "b\n", "b")).toBe(
      `--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n${mark}`,
    );
    expect(await textOf("\ufeffa\r\nb\r\n", "a", "x")).toBe(
      "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-\ufeffa\r\n+\ufeffx\r\n b\r\n",
    );
    expect(await textOf("a\n", "a\n", "")).toBe("--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n");
  });

  it("B6 makes one hunk of near changes, and two of far ones", async () => {
    const lines = (count: number) => `x\n${"-\n".repeat(count)}x\n`;
    expect((await textOf(lines(6), "x", "y", true)).match(/^@@/gmu)).toHaveLength(1);
    expect((await textOf(lines(7), "x", "y", true)).match(/^@@/gmu)).toHaveLength(2);
  });

  it("B6 is empty if nothing changes, and quotes names that would break a line", async () => {
    expect((await diffOf("a\n", [])).bytes).toHaveLength(0);
    const same = { offsetBytes: 0, removedBytes: 1, inserted: Buffer.from("a") };
    expect((await diffOf("a\n", [same])).bytes).toHaveLength(0);
    const { diff } = await locateIn("a\n", [edit("a", "b")], { diffPath: '/x y/a\n"\u00e9' });
    expect(Buffer.from(diff?.bytes ?? []).toString()).toMatch(
      /^--- "a\/x y\/a\\012\\"\\303\\251"\n\+\+\+ "b\//u,
    );
  });

  it("B6 is exactly the change, whatever the bytes (property)", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ before, splices }) => {
        const { bytes, truncated } = await diffOf(before, splices);
        expect(truncated).toBe(false);
        const after = await imageAfter(before, splices);
        if (after.equals(before)) return;
        expect(applyPatch(before, bytes)).toEqual(after);
      }),
      { numRuns: 2000 },
    );
  });

  const hasPatch = spawnSync("patch", ["--version"]).status === 0;
  it.skipIf(!hasPatch)("B6 is what the program patch makes the after-image of", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fe-patch-"));
    try {
      for (const { before, splices } of fc.sample(cases, { numRuns: 60, seed: 7 })) {
        const after = await imageAfter(before, splices);
        if (after.equals(before) || after.length === 0) continue;
        writeFileSync(join(folder, "f"), before);
        const { bytes } = await diffOf(before, splices);
        const ran = spawnSync("patch", ["--binary", "-p1", "-s", "--fuzz=0"], {
          cwd: folder,
          input: bytes,
        });
        expect(ran.status, `${ran.stdout}${ran.stderr}${Buffer.from(bytes)}`).toBe(0);
        expect(readFileSync(join(folder, "f"))).toEqual(after);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("B6 is bounded: whole hunks are left off at the end", async () => {
    const far = `${"-\n".repeat(20)}x\n`.repeat(50);
    const { splices } = await locateIn(far, [edit("x", "y", { replaceAll: true })]);
    const whole = await diffOf(far, splices);
    const cut = await diffOf(far, splices, 300);
    expect(cut.truncated).toBe(true);
    expect(cut.bytes.length).toBeLessThanOrEqual(300);
    expect(Buffer.from(whole.bytes).subarray(0, cut.bytes.length)).toEqual(Buffer.from(cut.bytes));
    expect(applyPatch(bytesOf(far), cut.bytes).toString().match(/y/gu)?.length).toBeGreaterThan(1);
    const long = "a".repeat(2_000_000);
    const one = await diffOf(long, [
      { offsetBytes: 9, removedBytes: 1, inserted: Buffer.from("b") },
    ]);
    expect(one).toMatchObject({ truncated: true });
    expect(Buffer.from(one.bytes).toString()).toBe("--- a/f\n+++ b/f\n");
  });
});
