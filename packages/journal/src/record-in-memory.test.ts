// A record of images that stand in memory: the same bytes as of images that have to be read.
import { describe, expect, test } from "vitest";
import { MemoryFile } from "../test/memory-file.ts";
import { plainMetadata } from "../test/metadata.ts";
import { text } from "../test/scratch.ts";
import { applySplices, type Change } from "../test/splices.ts";
import { bytesSource } from "./byte-source.ts";
import { sha256 } from "./checksum.ts";
import { planImages, writeRecord } from "./record-writer.ts";

const breathe = async (): Promise<void> => {};
const large = Buffer.alloc(3_000_000, "0123456789");
const changes: readonly (readonly [name: string, change: Change])[] = [
  [
    "small",
    {
      before: text("one two"),
      splices: [{ offsetBytes: 4, removedBytes: 3, inserted: text("2") }],
    },
  ],
  [
    "small, with the after-image raw",
    {
      before: text("one"),
      splices: [{ offsetBytes: 0, removedBytes: 3, inserted: text("three") }],
    },
  ],
  ["large", { before: large, splices: [{ offsetBytes: 9, removedBytes: 1, inserted: text("x") }] }],
  [
    "large, with the after-image raw",
    {
      before: large,
      splices: [{ offsetBytes: 0, removedBytes: large.length, inserted: text("x") }],
    },
  ],
  [
    "larger than what is hashed without a break",
    {
      before: large,
      splices: [{ offsetBytes: 3, removedBytes: 0, inserted: Buffer.alloc(6_000_000, "y") }],
    },
  ],
];

async function write({ before, splices }: Change, isKnown: boolean): Promise<Buffer> {
  const file = new MemoryFile();
  const after = applySplices(before, splices);
  const inMemory = {
    beforeSha256: sha256(before).toString("hex"),
    after: { bytes: after, sha256: sha256(after).toString("hex") },
  };
  const images = planImages(bytesSource(before), splices, isKnown ? inMemory : undefined);
  await writeRecord(file, images, plainMetadata, breathe);
  return file.bytes;
}

describe("a record of images in memory", () => {
  test.each(changes)("has the bytes that it has without: %s", async (_, change) => {
    expect((await write(change, true)).equals(await write(change, false))).toBe(true);
  });

  test("of a change that changes nothing is not made", async () => {
    const splices = [{ offsetBytes: 1, removedBytes: 1, inserted: text("a") }];
    await expect(write({ before: text("aaa"), splices }, true)).rejects.toThrow(RangeError);
  });

  test("is not planned of a before-image that must be read, or of another after-image", () => {
    const before = bytesSource(text("one"));
    const splices = [{ offsetBytes: 0, removedBytes: 1, inserted: text("O") }];
    const after = { bytes: text("One"), sha256: "1".repeat(64) };
    const inMemory = { beforeSha256: "0".repeat(64), after };
    const read = { sizeBytes: 3, read: before.read };
    expect(() => planImages(before, splices, inMemory)).not.toThrow();
    expect(() => planImages(read, splices, inMemory)).toThrow(RangeError);
    const other = { ...inMemory, after: { ...after, bytes: text("O") } };
    expect(() => planImages(before, splices, other)).toThrow(RangeError);
  });
});
