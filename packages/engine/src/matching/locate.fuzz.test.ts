// Random texts, edits and chunk sizes against a model. fast-check prints the seed of a failure.
import { createHash } from "node:crypto";
import { afterSource, bytesSource } from "@fe/journal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editOf, exact, model, placesIn, sizes, textOf } from "../../test/locate-model.ts";
import type { LocateSizes } from "./limits.ts";
import { locateBySizes, MatchError, type TextEdit } from "./locate.ts";

async function observe(bytes: Buffer, edits: readonly TextEdit[], some: LocateSizes) {
  const before = bytesSource(bytes);
  try {
    const located = await locateBySizes(before, edits, exact, some);
    const after = afterSource(before, located.splices);
    const result = Buffer.alloc(after.sizeBytes);
    await after.read(result, 0);
    expect(located.beforeSum).toBe(createHash("sha256").update(bytes).digest("hex"));
    return { located, result };
  } catch (error) {
    if (error instanceof MatchError) return error;
    throw error;
  }
}

async function compare(
  bytes: Buffer,
  decoded: string,
  encoding: "utf8" | "latin1",
  edits: readonly TextEdit[],
  some: LocateSizes,
) {
  const expected = model(decoded, edits);
  const observed = await observe(bytes, edits, some);
  if (observed instanceof MatchError) {
    const { editIndex, kind, count } = observed;
    expect({ editIndex, kind, count }).toEqual(expected);
    return;
  }
  const { located, result } = observed;
  expect(result.toString(encoding)).toBe(expected.result);
  expect(located.matchCounts).toEqual(expected.counts);
  expect(located.splices.length === 0).toBe(expected.result === decoded);
  for (const { offsetBytes, removedBytes, inserted } of located.splices) {
    // Trimmed: neither the first nor the last byte of a splice stays what it was.
    if (removedBytes === 0 || inserted.length === 0) continue;
    expect(bytes[offsetBytes]).not.toBe(inserted[0]);
    expect(bytes[offsetBytes + removedBytes - 1]).not.toBe(inserted.at(-1));
  }
}

describe("locate() against a model", () => {
  it("S5 B5 replaces as splitting and joining would, in UTF-8", async () => {
    const characters = ["a", "b", "é", "中", "😀", "\n"];
    await fc.assert(
      fc.asyncProperty(
        textOf(characters, 30),
        fc.array(editOf(characters, 5, 4), { minLength: 1, maxLength: 4 }),
        sizes,
        (text, edits, some) => compare(Buffer.from(text), text, "utf8", edits, some),
      ),
      { numRuns: 1500 },
    );
  });

  it("S5 B8 replaces ASCII as splitting and joining would, among any bytes", async () => {
    // These cannot be first halves, so that nothing is refused for its encoding.
    const bytes = ["a", "b", " ", "\x80", "\xff", "\n"];
    await fc.assert(
      fc.asyncProperty(
        textOf(bytes, 30).filter((text) => /[\x80-\xff]/.test(text)),
        fc.array(editOf(["a", "b", " ", "\n"], 5, 4), { minLength: 1, maxLength: 4 }),
        sizes,
        (text, edits, some) => compare(Buffer.from(text, "latin1"), text, "latin1", edits, some),
      ),
      { numRuns: 1500 },
    );
  });

  it("B7 gives the line and column of every place", async () => {
    const characters = ["a", "b", "é", "😀", "\n", "\r"];
    await fc.assert(
      fc.asyncProperty(
        textOf(characters, 40),
        textOf(characters, 3, 1),
        sizes,
        async (text, oldString, some) => {
          const edits = [{ oldString, newString: "new", replaceAll: true }];
          const observed = await observe(Buffer.from(text), edits, some);
          if (observed instanceof MatchError) return;
          const lineBreak = text.includes("\n") ? "\n" : "\r";
          const expected = placesIn(text, oldString, false).map((place) => {
            const lines = text.slice(0, place).split(lineBreak);
            return {
              line: lines.length,
              column: [...(lines.at(-1) ?? "")].length + 1,
              byteOffset: Buffer.byteLength(text.slice(0, place)),
            };
          });
          expect(observed.located.matches).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
