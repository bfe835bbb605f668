// The format as a whole: what is written is read, and nothing else is.
import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryFile } from "../test/memory-file.ts";
import { arbitraryMetadata, arbitraryPath, plainMetadata } from "../test/metadata.ts";
import { text as bytes, replace } from "../test/scratch.ts";
import { applySplices, arbitraryChange, type Change, readAll } from "../test/splices.ts";
import { bytesSource } from "./byte-source.ts";
import { RecordCorruptError, RecordVersionError } from "./errors.ts";
import { encodeMetadata, type MetadataDraft, maxBytesBeforePath } from "./metadata-codec.ts";
import type { ImageFacts } from "./record.ts";
import { encodeHeader, pathInFront, phaseBlockBytes } from "./record-codec.ts";
import { readFront, readRecord } from "./record-reader.ts";
import { planImages, writeRecord } from "./record-writer.ts";

const breathe = async (): Promise<void> => {};
const plainChange: Change = { before: bytes("one two three"), splices: [replace(4, 3, "2")] };

async function write(
  { before, splices }: Change,
  metadata: MetadataDraft = plainMetadata,
  mostAtOnce?: number,
): Promise<Buffer> {
  const file = new MemoryFile(undefined, mostAtOnce);
  await writeRecord(file, planImages(bytesSource(before), splices), metadata, breathe);
  return file.bytes;
}

function read(record: Uint8Array): ReturnType<typeof readRecord> {
  return readRecord(new MemoryFile(record), record.length);
}

function isRealChange({ before, splices }: Change): boolean {
  return !applySplices(before, splices).equals(before);
}

describe("a record", () => {
  test("S12 S14 gives both images and all metadata back, exactly", async () => {
    const changes = arbitraryChange.filter(isRealChange);
    await fc.assert(
      fc.asyncProperty(changes, arbitraryMetadata, async (change, metadata) => {
        const after = applySplices(change.before, change.splices);
        const found = await read(await write(change, metadata));
        expect(found.metadata).toMatchObject(metadata);
        expect(found.phase).toBe("prepared");
        expect((await readAll(found.before)).equals(change.before)).toBe(true);
        expect((await readAll(found.after)).equals(after)).toBe(true);
        expect(found.metadata.before.sizeBytes).toBe(change.before.length);
        expect(found.metadata.after.sizeBytes).toBe(after.length);
      }),
    );
  });

  test("P5 is within before + inserted + 24 a place + 8 KiB, and both images + 8 KiB", async () => {
    const changes = arbitraryChange.filter(isRealChange);
    await fc.assert(
      fc.asyncProperty(changes, arbitraryMetadata, async (change, metadata) => {
        const { before, splices } = change;
        const inserted = splices.reduce((sum, splice) => sum + splice.inserted.length, 0);
        const both = before.length + applySplices(before, splices).length;
        const { length } = await write(change, metadata);
        expect(length).toBeLessThanOrEqual(before.length + inserted + 24 * splices.length + 8192);
        expect(length).toBeLessThanOrEqual(both + 8192);
      }),
    );
  });

  const max64 = 2n ** 64n - 1n;
  const max128 = 2n ** 128n - 1n;
  const sid = `S-1-5-${"4294967295-".repeat(15)}1`;
  const digest = "f".repeat(64);

  test.each([
    [
      "Linux",
      { volume: max64, file: max64, generation: max64, handle: "ff".repeat(132), device: max64 },
      { mode: 0o7777, owner: "4294967295", group: "4294967295" },
      `/${"\udcff".repeat(4095)}`,
    ],
    [
      "Windows",
      { volume: max128, file: max128, device: max64 },
      { mode: 0o7777, owner: sid, group: sid },
      `/${"x\u0001".repeat(2047)}`,
    ],
  ])("P5 has room for the longest path and all else at its longest: %s", async (...longest) => {
    const [, numbers, principals, realPath] = longest;
    const identity = { ...numbers, birthTimeNs: -(2n ** 63n) };
    const { owner } = plainMetadata;
    const record = await write(plainChange, {
      ...plainMetadata,
      engineVersion: "9".repeat(64),
      createdMs: Number.MAX_SAFE_INTEGER,
      realPath,
      target: identity,
      parent: identity,
      permission: { ...principals, accessList: digest, capabilities: digest },
      owner: { ...owner, pid: 4_194_304, startTime: max64, pidNamespace: max64 },
      recordFile: { device: max64, file: max128 },
    });
    expect(record.length).toBeLessThanOrEqual(13 + 1 + 8192);
    expect((await read(record)).metadata.realPath).toBe(realPath);
  });

  test("S9 has the text of its path where it is looked for, and that of no other", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMetadata, arbitraryPath, async (metadata, other) => {
        const record = await write(plainChange, metadata);
        const { bytes, withinBytes } = pathInFront(metadata.realPath);
        expect(record.subarray(0, withinBytes).includes(bytes)).toBe(true);
        const isSame = other === metadata.realPath;
        const found = pathInFront(other);
        expect(record.subarray(0, found.withinBytes).includes(found.bytes)).toBe(isSame);
      }),
    );
    const longest = {
      ...plainMetadata,
      engineVersion: "9".repeat(64),
      createdMs: Number.MAX_SAFE_INTEGER,
    };
    const record = await write(plainChange, longest);
    const { bytes, withinBytes } = pathInFront(longest.realPath);
    const end = record.indexOf(bytes) + bytes.length;
    expect(withinBytes - end).toBe(maxBytesBeforePath - 168);
  });

  test("whose metadata would not fit is not made", async () => {
    const realPath = `/${"\udcff".repeat(4095)}`;
    const metadata = { ...plainMetadata, realPath, engineVersion: "9".repeat(2000) };
    await expect(write(plainChange, metadata)).rejects.toThrow("metadata take");
  });

  test("is complete when every writing comes out short", async () => {
    expect(await write(plainChange, plainMetadata, 7)).toEqual(await write(plainChange));
  });

  test("of many pieces is the same as one that is written at once", async () => {
    const before = Buffer.alloc(3_000_000, "0123456789");
    const changes: Change[] = [
      { before, splices: [replace(1_048_576, 1, "x"), replace(2_999_999, 1, "")] },
      { before, splices: [replace(3_000_000, 0, "at the end")] },
      { before, splices: [replace(0, 3_000_000, "short")] },
      { before, splices: [{ ...replace(1_048_575, 2, ""), inserted: Buffer.alloc(5_000_000, 7) }] },
      {
        before,
        splices: Array.from({ length: 100_000 }, (_, index) => replace(index * 30, 1, "yz")),
      },
      { before: bytes("tiny"), splices: [{ ...replace(4, 0, ""), inserted: before }] },
    ];
    for (const change of changes) {
      const found = await read(await write(change, plainMetadata, 999_983));
      expect((await readAll(found.before)).equals(change.before)).toBe(true);
      const after = applySplices(change.before, change.splices);
      expect((await readAll(found.after)).equals(after)).toBe(true);
    }
  });

  test("of a change that changes nothing is not made", async () => {
    const change = { before: bytes("aaa"), splices: [replace(1, 1, "a")] };
    await expect(write(change)).rejects.toThrow(RangeError);
    await expect(write({ before: bytes("aaa"), splices: [] })).rejects.toThrow(RangeError);
  });
});

describe("a reader", () => {
  test("S19 refuses a record with any byte outside the phase block changed", async () => {
    const changes: Change[] = [
      plainChange,
      { before: bytes("a"), splices: [replace(0, 1, "the after-image is raw")] },
    ];
    for (const change of changes) {
      const record = await write(change);
      for (let position = phaseBlockBytes; position < record.length; position++) {
        const damaged = Buffer.from(record);
        damaged[position] = (damaged[position] ?? 0) ^ (1 << (position % 8));
        const refused = await read(damaged).catch((error: unknown) => error);
        expect(refused, `byte ${position}`).toBeInstanceOf(Error);
        expect(["RecordCorruptError", "RecordVersionError"]).toContain((refused as Error).name);
      }
    }
  });

  test("S19 refuses a record that was cut off anywhere, or has a byte more", async () => {
    const record = await write(plainChange);
    for (let length = 0; length < record.length; length++) {
      await expect(read(record.subarray(0, length)), `${length} bytes`).rejects.toThrow(
        RecordCorruptError,
      );
    }
    await expect(read(Buffer.concat([record, Buffer.alloc(1)]))).rejects.toThrow(
      RecordCorruptError,
    );
  });

  /** A record whose header sum is right, whatever it says; the rest is zeros. */
  function crafted(before: ImageFacts, after: ImageFacts, beforeBytes = 13): Buffer {
    const metadata = { ...plainMetadata, before, after };
    const shape = {
      metadataBytes: Buffer.byteLength(encodeMetadata(metadata)),
      beforeBytes,
      afterBytes: after.sizeBytes,
      form: "splices" as const,
      places: 1,
      insertedBytes: 0,
    };
    const front = Buffer.concat([
      Buffer.alloc(phaseBlockBytes),
      encodeHeader(shape, encodeMetadata(metadata)),
    ]);
    return Buffer.concat([front, Buffer.alloc(beforeBytes + 12 + 48)]);
  }

  test("S19 refuses a record of equal images whose sums are all right", async () => {
    const image = { sizeBytes: 13, sha256: "00".repeat(32) };
    await expect(read(crafted(image, image))).rejects.toThrow("its two images are equal");
  });

  test("S19 refuses a record that states two lengths of one image", async () => {
    const before = { sizeBytes: 12, sha256: "00".repeat(32) };
    const after = { sizeBytes: 13, sha256: "11".repeat(32) };
    await expect(read(crafted(before, after))).rejects.toThrow("different lengths");
  });

  test.each([
    ["out of order", [replace(4, 3, "2"), replace(2, 1, "x")], "out of order"],
    ["overlapping", [replace(4, 3, "2"), replace(5, 1, "x")], "out of order"],
    ["beyond the end", [replace(12, 9, "2")], "out of range"],
    ["of another length in all", [replace(4, 1, "2")], "of the stated length"],
  ])("S19 refuses splices %s whose sums are all right", async (_, splices, why) => {
    const file = new MemoryFile();
    const before = bytesSource(plainChange.before);
    const insertedBytes = splices.length;
    const shape = {
      beforeBytes: 13,
      afterBytes: 11,
      form: "splices" as const,
      places: splices.length,
      insertedBytes,
    };
    await writeRecord(file, { before, splices, shape }, plainMetadata, breathe);
    await expect(read(file.bytes)).rejects.toThrow(why);
  });

  test("refuses a format version that it does not know, and says which", async () => {
    const record = await write(plainChange);
    record.writeUInt32LE(2, phaseBlockBytes + 8);
    await expect(read(record)).rejects.toThrow(RecordVersionError);
    await expect(read(record)).rejects.toThrow("format version 2");
  });

  test("never fails otherwise, whatever the bytes are", async () => {
    const record = await write(plainChange);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(record.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(record.length),
        async (changes, length) => {
          const damaged = Buffer.from(record);
          for (const [position, byte] of changes) damaged[position] = byte;
          const error = await read(damaged.subarray(0, length)).catch((caught: unknown) => caught);
          const isRefused =
            error instanceof RecordCorruptError || error instanceof RecordVersionError;
          const isWhole = length === record.length;
          expect(isRefused || (isWhole && !(error instanceof Error))).toBe(true);
        },
      ),
    );
  });

  test("allocates nothing by a length that it has not checked", async () => {
    const record = await write(plainChange);
    for (const offset of [12, 16, 20, 28, 32]) {
      const hostile = Buffer.from(record);
      hostile.writeUInt32LE(0xffff_ffff, phaseBlockBytes + offset);
      await expect(read(hostile)).rejects.toThrow("out of range");
    }
  });
});

describe("the golden record of format version 1", () => {
  const golden = `${import.meta.dirname}/../test/fixtures/record-v1.hex`;

  test("is what is written today", async () => {
    const record = await write(plainChange);
    const lines = record.toString("hex").match(/.{1,64}/g) ?? [];
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden);
  });

  test("is read, and holds what it should", async () => {
    const record = Buffer.from(fs.readFileSync(golden, "utf8").replaceAll("\n", ""), "hex");
    const { metadata, phase, before, after } = await read(record);
    expect(phase).toBe("prepared");
    expect((await readAll(before)).toString()).toBe("one two three");
    expect((await readAll(after)).toString()).toBe("one 2 three");
    expect(metadata).toMatchObject(plainMetadata);
    const front = await readFront(new MemoryFile(record), record.length);
    expect(front.metadata).toEqual(metadata);
  });
});
