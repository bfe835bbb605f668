import { afterSizeBytes, type Splice } from "@fe/journal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeSplices, positionsBefore, trimEnds } from "./splices.ts";

const splice = (offsetBytes: number, removedBytes: number, inserted: string): Splice => ({
  offsetBytes,
  removedBytes,
  inserted: Buffer.from(inserted),
});

/** The text that splices make, by slicing: nothing of it is shared with the code under test. */
function applyTo(text: Buffer, splices: readonly Splice[]): Buffer {
  return splices.reduceRight(
    (result, { offsetBytes, removedBytes, inserted }) =>
      Buffer.concat([
        result.subarray(0, offsetBytes),
        inserted,
        result.subarray(offsetBytes + removedBytes),
      ]),
    text,
  );
}

/**
 * Valid splices of a text of `size` bytes; some touch, some insert nothing, some remove nothing.
 */
function splicesOf(size: number): fc.Arbitrary<Splice[]> {
  const part = fc.record({
    gap: fc.integer({ min: 0, max: 4 }),
    removed: fc.integer({ min: 0, max: 4 }),
    inserted: fc.string({ unit: fc.constantFrom("x", "y", "z"), maxLength: 4 }),
  });
  return fc.array(part, { maxLength: 6 }).map((parts) => {
    const splices: Splice[] = [];
    let position = 0;
    for (const { gap, removed, inserted } of parts) {
      const offset = position + gap;
      if (offset + removed > size) break;
      splices.push(splice(offset, removed, inserted));
      position = offset + removed;
    }
    return splices;
  });
}

const twoLists = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 20 }).chain((text) =>
  splicesOf(text.length).chain((first) =>
    fc.record({
      text: fc.constant(Buffer.from(text)),
      first: fc.constant(first),
      second: splicesOf(afterSizeBytes(text.length, first)),
    }),
  ),
);

describe("composeSplices()", () => {
  it("B5 is the first list, then the second", () => {
    fc.assert(
      fc.property(twoLists, ({ text, first, second }) => {
        const composed = composeSplices(first, second);
        expect(applyTo(text, composed).toString()).toBe(
          applyTo(applyTo(text, first), second).toString(),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it("B5 gives sorted splices of which none touches another", () => {
    fc.assert(
      fc.property(twoLists, ({ text, first, second }) => {
        const composed = composeSplices(first, second);
        expect(() => afterSizeBytes(text.length, composed)).not.toThrow();
        let end = -1;
        for (const { offsetBytes, removedBytes } of composed) {
          expect(offsetBytes).toBeGreaterThan(end);
          end = offsetBytes + removedBytes;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("is associative in what it makes", () => {
    fc.assert(
      fc.property(
        twoLists.chain((lists) =>
          fc.record({
            lists: fc.constant(lists),
            third: splicesOf(
              afterSizeBytes(afterSizeBytes(lists.text.length, lists.first), lists.second),
            ),
          }),
        ),
        ({ lists: { text, first, second }, third }) => {
          const left = composeSplices(composeSplices(first, second), third);
          const right = composeSplices(first, composeSplices(second, third));
          expect(applyTo(text, left).toString()).toBe(applyTo(text, right).toString());
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("forgets what is put in and taken out again", () => {
    expect(composeSplices([splice(2, 0, "xyz")], [splice(2, 3, "")])).toEqual([]);
  });

  it("shares inserted bytes instead of copying them", () => {
    const inserted = Buffer.from("same");
    const first = [0, 10, 20].map((offsetBytes) => ({ offsetBytes, removedBytes: 1, inserted }));
    for (const { inserted: bytes } of composeSplices(first, [])) {
      expect(bytes.buffer).toBe(inserted.buffer);
    }
  });
});

describe("positionsBefore()", () => {
  it("follows every byte of a text back to where it came from", () => {
    fc.assert(
      fc.property(twoLists, ({ text, first }) => {
        const origins: number[] = [];
        let kept = 0;
        for (const { offsetBytes, removedBytes, inserted } of first) {
          for (; kept < offsetBytes; kept++) origins.push(kept);
          for (const _ of inserted) origins.push(offsetBytes);
          kept += removedBytes;
        }
        for (; kept < text.length; kept++) origins.push(kept);
        const positions = origins.map((_, position) => position);
        expect(positionsBefore(first, positions)).toEqual(origins);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("trimEnds()", () => {
  it("keeps only what differs between beginning and end", () => {
    const trim = (removed: string, inserted: string) => {
      const trimmed = trimEnds(Buffer.from(removed), Buffer.from(inserted));
      return [trimmed.skipBytes, trimmed.removedBytes, Buffer.from(trimmed.inserted).toString()];
    };
    expect(trim("draft", "final")).toEqual([0, 5, "final"]);
    expect(trim("a = 1;", "a = 22;")).toEqual([4, 1, "22"]);
    expect(trim("aa", "aaa")).toEqual([2, 0, "a"]);
    expect(trim("aaa", "aa")).toEqual([2, 1, ""]);
    expect(trim("same", "same")).toEqual([4, 0, ""]);
    expect(trim("é", "è")).toEqual([1, 1, Buffer.from([0xa8]).toString()]);
  });
});
