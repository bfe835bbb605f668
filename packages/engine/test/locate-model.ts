/**
 * A model of `locate` that has everything in one string, and random values for it. Texts are made
 * of few characters, so that overlaps, repetitions and cut characters are common.
 */
import fc from "fast-check";
import type { LocateSizes } from "../src/matching/limits.ts";
import type { LocateOptions, TextEdit } from "../src/matching/locate.ts";

export const exact: LocateOptions = {
  lineEndings: "exact",
  maxAfterBytes: 1_000_000,
  maxPlaces: 1000,
};

/** So small that every border is crossed. */
export const sizes: fc.Arbitrary<LocateSizes> = fc.record({
  chunkBytes: fc.integer({ min: 1, max: 9 }),
  bufferedBytes: fc.constantFrom(0, 1000),
  anchorBytes: fc.integer({ min: 1, max: 4 }),
  sliceBytes: fc.integer({ min: 1, max: 7 }),
  windowedBytes: fc.integer({ min: 1, max: 6 }),
  maxFailedComparisons: fc.integer({ min: 0, max: 3 }),
  maxLongCandidates: fc.integer({ min: 0, max: 2 }),
});

export const textOf = (
  characters: readonly string[],
  maxLength: number,
  minLength = 0,
): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((parts) => parts.join(""));

export const editOf = (
  characters: readonly string[],
  maxOldLength: number,
  maxNewLength: number,
): fc.Arbitrary<TextEdit> =>
  fc.record({
    oldString: textOf(characters, maxOldLength, 1),
    newString: textOf(characters, maxNewLength),
    replaceAll: fc.boolean(),
  });

/** Where `needle` begins in `text`, overlapping or not. */
export function placesIn(text: string, needle: string, overlapping: boolean): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; ) {
    places.push(at);
    at = text.indexOf(needle, at + (overlapping ? 1 : needle.length));
  }
  return places;
}

/** The text after all edits and how often each was found, or which edit fails how. */
export type Expected =
  | { readonly result: string; readonly counts: readonly number[] }
  | {
      readonly editIndex: number;
      readonly kind: "no-match" | "ambiguous";
      readonly count: number;
      readonly result?: undefined;
      readonly counts?: undefined;
    };

/** What must come out. */
export function model(text: string, edits: readonly TextEdit[]): Expected {
  let result = text;
  const counts: number[] = [];
  for (const [editIndex, { oldString, newString, replaceAll }] of edits.entries()) {
    const count = placesIn(result, oldString, !replaceAll).length;
    if (count === 0) return { editIndex, kind: "no-match", count };
    if (count > 1 && !replaceAll) return { editIndex, kind: "ambiguous", count };
    counts.push(count);
    result = result.split(oldString).join(newString);
  }
  return { result, counts };
}
