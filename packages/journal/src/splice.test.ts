import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { text as bytes } from "../test/scratch.ts";
import { applySplices, arbitraryChange, readAll } from "../test/splices.ts";
import { bytesSource } from "./byte-source.ts";
import { SourceChangedError } from "./errors.ts";
import {
  afterInMemory,
  afterSizeBytes,
  afterSource,
  afterSourceOfTable,
  changedStretches,
  tableOf,
} from "./splice.ts";

const nothing = new Uint8Array();

describe("afterSizeBytes()", () => {
  test("counts what is removed and inserted", () => {
    const splices = [
      { offsetBytes: 0, removedBytes: 2, inserted: bytes("abc") },
      { offsetBytes: 2, removedBytes: 0, inserted: bytes("d") },
    ];
    expect(afterSizeBytes(10, splices)).toBe(12);
  });

  test.each([
    [
      "overlap",
      [
        { offsetBytes: 0, removedBytes: 3 },
        { offsetBytes: 2, removedBytes: 1 },
      ],
    ],
    [
      "are out of order",
      [
        { offsetBytes: 5, removedBytes: 1 },
        { offsetBytes: 1, removedBytes: 1 },
      ],
    ],
    ["reach beyond the end", [{ offsetBytes: 9, removedBytes: 2 }]],
    ["begin beyond the end", [{ offsetBytes: 11, removedBytes: 0 }]],
    ["begin before the beginning", [{ offsetBytes: -1, removedBytes: 0 }]],
    ["remove a negative length", [{ offsetBytes: 4, removedBytes: -1 }]],
    ["begin at no whole byte", [{ offsetBytes: 0.5, removedBytes: 1 }]],
  ])("refuses splices that %s", (_, places) => {
    const splices = places.map((place) => ({ ...place, inserted: nothing }));
    expect(() => afterSizeBytes(10, splices)).toThrow(RangeError);
  });
});

test("changedStretches() names all that differs, in order, and nothing that stands still", () => {
  fc.assert(
    fc.property(arbitraryChange, ({ before, splices }) => {
      const after = applySplices(before, splices);
      // Written over the before-image, and cut to its length, it is the after-image.
      const written = Buffer.concat([before, Buffer.alloc(after.length)]).subarray(0, after.length);
      let end = -1;
      for (const { from, to, bytes: inserted } of changedStretches(before.length, splices)) {
        expect(from).toBeGreaterThan(end);
        expect(to).toBeGreaterThan(from);
        end = to;
        written.set(after.subarray(from, to), from);
        if (inserted !== undefined) expect(after.subarray(from, to).equals(inserted)).toBe(true);
      }
      expect(end).toBeLessThanOrEqual(after.length);
      expect(written.equals(after)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("changedStretches() leaves out what is kept between two changes of the same length", () => {
  const splices = [
    { offsetBytes: 2, removedBytes: 1, inserted: bytes("x") },
    { offsetBytes: 5, removedBytes: 2, inserted: bytes("yz") },
  ];
  expect([...changedStretches(10, splices)]).toEqual([
    { from: 2, to: 3, bytes: bytes("x") },
    { from: 5, to: 7, bytes: bytes("yz") },
  ]);
});

describe("afterInMemory()", () => {
  const once = async (): Promise<void> => {};

  test("is the after-image", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryChange, async ({ before, splices }) => {
        const wanted = applySplices(before, splices);
        const after = await afterInMemory(before, splices, wanted.length, once);
        expect(after.equals(wanted)).toBe(true);
      }),
    );
  });

  test("lets others have their turn where there are many places", async () => {
    const before = Buffer.alloc(40_000, "a");
    const splices = Array.from({ length: 20_000 }, (_, index) => ({
      offsetBytes: index * 2,
      removedBytes: 1,
      inserted: bytes("bc"),
    }));
    let turns = 0;
    const after = await afterInMemory(before, splices, 60_000, async () => {
      turns += 1;
    });
    expect(turns).toBe(2);
    expect(after.equals(applySplices(before, splices))).toBe(true);
  });
});

describe("afterSource()", () => {
  test("reads any range of the after-image, from splices and from a table", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryChange, fc.nat(300), fc.nat(300), async (change, from, length) => {
        const { before, splices } = change;
        const wanted = applySplices(before, splices).subarray(from, from + length);
        const inserted = Buffer.concat(splices.map((splice) => splice.inserted));
        for (const source of [
          afterSource(bytesSource(before), splices),
          afterSourceOfTable(bytesSource(before), tableOf(splices), bytesSource(inserted)),
        ]) {
          const buffer = Buffer.alloc(length);
          const count = await source.read(buffer, from);
          expect(count).toBe(wanted.length);
          expect(buffer.subarray(0, count).equals(wanted)).toBe(true);
        }
      }),
    );
  });

  test("reads a hundred thousand places by few readings of the before-image", async () => {
    const before = Buffer.alloc(400_000, "ab--");
    const splices = Array.from({ length: 100_000 }, (_, index) => ({
      offsetBytes: index * 4,
      removedBytes: 2,
      inserted: bytes("xyz"),
    }));
    let readings = 0;
    const counted = {
      sizeBytes: before.length,
      read: (buffer: Uint8Array, position: number) => {
        readings += 1;
        return bytesSource(before).read(buffer, position);
      },
    };
    const after = await readAll(afterSource(counted, splices));
    expect(after.equals(Buffer.alloc(500_000, "xyz--"))).toBe(true);
    expect(readings).toBeLessThan(10);
  });

  test("says so when the before-image became shorter", async () => {
    const short = { sizeBytes: 10, read: async () => 4 };
    const source = afterSource(short, [{ offsetBytes: 9, removedBytes: 1, inserted: bytes("x") }]);
    await expect(source.read(Buffer.alloc(10), 0)).rejects.toThrow(SourceChangedError);
  });
});
