import { describe, expect, it } from "vitest";
import { text } from "../test/scratch.ts";
import { bytesSource } from "./byte-source.ts";
import { sha256 } from "./checksum.ts";
import { ImageHasher } from "./image-hasher.ts";
import { afterSource, type Splice } from "./splice.ts";

const before = Buffer.from("one two three four five six seven eight nine ten ".repeat(300));
const cases: readonly (readonly [name: string, splices: readonly Splice[]])[] = [
  ["at the beginning", [{ offsetBytes: 0, removedBytes: 3, inserted: text("1") }]],
  ["in the middle", [{ offsetBytes: 7000, removedBytes: 0, inserted: text("new ") }]],
  ["at the end", [{ offsetBytes: before.length, removedBytes: 0, inserted: text("!") }]],
  [
    "in many places",
    Array.from({ length: 100 }, (_, index) => ({
      offsetBytes: index * 140,
      removedBytes: index % 3,
      inserted: text("x".repeat(index % 5)),
    })),
  ],
];

async function sums(splices: readonly Splice[]) {
  const after = afterSource(bytesSource(before), splices);
  const hasher = new ImageHasher(splices, async () => {});
  for (let position = 0; position < before.length; position += 1000) {
    await hasher.feed(before.subarray(position, position + 1000), position);
  }
  const wanted = Buffer.alloc(after.sizeBytes);
  await after.read(wanted, 0);
  return {
    found: await hasher.finish(),
    wanted: { before: sha256(before), after: sha256(wanted) },
  };
}

describe("ImageHasher", () => {
  it.each(cases)("has both sums of a change %s", async (_, splices) => {
    const { found, wanted } = await sums(splices);
    expect(found).toEqual(wanted);
  });
});
