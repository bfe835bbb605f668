/** Splices as plainly as they can be applied, and random ones. */
import fc from "fast-check";
import type { Splice } from "../src/index.ts";

export { readAll } from "./read-all.ts";

/** The after-image by another way than the one that is tested. */
export function applySplices(before: Uint8Array, splices: readonly Splice[]): Buffer {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { offsetBytes, removedBytes, inserted } of splices) {
    parts.push(before.subarray(end, offsetBytes), inserted);
    end = offsetBytes + removedBytes;
  }
  parts.push(before.subarray(end));
  return Buffer.concat(parts);
}

export interface Change {
  readonly before: Uint8Array;
  readonly splices: readonly Splice[];
}

/** A before-image and splices of it: touching, empty, at both ends, removing everything. */
export const arbitraryChange: fc.Arbitrary<Change> = fc
  .record({
    before: fc.uint8Array({ maxLength: 200 }),
    cuts: fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 9 })), {
      minLength: 1,
      maxLength: 12,
    }),
    single: fc.boolean(),
  })
  .map(({ before, cuts, single }) => {
    const points = cuts.map(([point]) => point % (before.length + 1)).sort((a, b) => a - b);
    const splices: Splice[] = [];
    for (let index = 0; index < points.length; index += single ? 1 : 2) {
      const start = points[index] ?? 0;
      const end = single ? start : (points[index + 1] ?? start);
      const inserted = cuts[index]?.[1] ?? new Uint8Array();
      splices.push({ offsetBytes: start, removedBytes: end - start, inserted });
    }
    return { before, splices };
  });
