// UTF-16 of both orders against a model that has the whole file as one string of code units, in
// which an unpaired surrogate is a unit like any other. The characters are such that their bytes
// are found again across two units. fast-check prints the seed of a failure.
import { afterSource, bytesSource } from "@fe/journal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editOf, exact, model, placesIn, sizes, textOf } from "../../test/locate-model.ts";
import { type LocateOptions, locateBySizes, MatchError } from "./locate.ts";
import type { ByteOrder } from "./text-form.ts";
import { encodeUtf16, UnitNarrower, utf16Codec } from "./utf16.ts";

const characters = ["a", "\u6100", "\u6161", "\u0101", "\u0a0a", "\u{1f600}", "\n", "\r\n"];
const units = [...characters, "\ud83d", "\ude00"];

const edits = fc.array(editOf(characters, 3, 3), { minLength: 1, maxLength: 3 });

const order = fc.constantFrom<ByteOrder>("le", "be");

const options = (byteOrder: ByteOrder): LocateOptions => ({
  ...exact,
  codec: utf16Codec(byteOrder),
});

describe("locate() in UTF-16 against a model", () => {
  it("S5 B8 replaces whole code units and keeps every other byte", async () => {
    await fc.assert(
      fc.asyncProperty(textOf(units, 25), edits, order, sizes, async (text, wanted, some, size) => {
        const bytes = encodeUtf16(text, some);
        const expected = model(text, wanted);
        try {
          const source = bytesSource(bytes);
          const located = await locateBySizes(source, wanted, options(some), size);
          const after = afterSource(source, located.splices);
          const result = Buffer.alloc(after.sizeBytes);
          await after.read(result, 0);
          expect(result.equals(encodeUtf16(String(expected.result), some))).toBe(true);
          for (const { offsetBytes, removedBytes, inserted } of located.splices) {
            const parts = [offsetBytes, removedBytes, inserted.length];
            expect(parts.every((part) => part % 2 === 0)).toBe(true);
          }
        } catch (error) {
          if (!(error instanceof MatchError)) throw error;
          const { editIndex, kind, count } = error;
          expect({ editIndex, kind, count }).toEqual(expected);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("B7 B8 gives line and column of every place, in characters", async () => {
    await fc.assert(
      fc.asyncProperty(textOf(units, 25), order, sizes, async (text, some, size) => {
        const places = placesIn(text, "a", false);
        if (places.length === 0) return;
        const replaceAll = { oldString: "a", newString: "b", replaceAll: true };
        const source = bytesSource(encodeUtf16(text, some));
        const { matches } = await locateBySizes(source, [replaceAll], options(some), size);
        const lineEnd = text.includes("\n") ? "\n" : "\r";
        const wanted = places.map((place) => {
          const lines = text.slice(0, place).split(lineEnd);
          const column = [...(lines.at(-1) ?? "")].length + 1;
          return { line: lines.length, column, byteOffset: 2 * place };
        });
        expect(matches).toEqual(wanted);
      }),
      { numRuns: 1500 },
    );
  });
});

describe("UnitNarrower", () => {
  it("makes the same of pieces of any size", () => {
    fc.assert(
      fc.property(
        textOf(units, 20),
        order,
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 }),
        (text, some, cuts) => {
          const bytes = encodeUtf16(text, some);
          const whole = new UnitNarrower(some).narrow(bytes);
          expect(whole).toHaveLength(text.length);
          const narrower = new UnitNarrower(some);
          const parts: Buffer[] = [];
          let from = 0;
          for (const cut of [...cuts, bytes.length]) {
            parts.push(narrower.narrow(bytes.subarray(from, from + cut)));
            from += cut;
          }
          expect(Buffer.concat(parts).equals(whole)).toBe(true);
        },
      ),
    );
  });
});
