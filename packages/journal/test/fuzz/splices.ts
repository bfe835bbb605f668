/**
 * Fuzz target: the after-image as splices of the before-image, against one that is put together at
 * once: read whole and in pieces, at any position, from splices and from a table.
 */
import { attempt, type FuzzTarget, must } from "../../../../scripts/fuzz/target.mjs";
import { bytesSource } from "../../src/byte-source.ts";
import { SourceChangedError } from "../../src/errors.ts";
import {
  afterInMemory,
  afterSizeBytes,
  afterSource,
  afterSourceOfTable,
  changedStretches,
  type Splice,
  tableOf,
} from "../../src/splice.ts";

/** What an input says: how many splices, each in three bytes; two readings; the before-image. */
interface Said {
  readonly splices: Splice[];
  readonly readings: readonly (readonly [position: number, length: number])[];
  readonly before: Buffer;
}

const readings = 2;

function take(input: Buffer): Said {
  const [first = 0] = input;
  const isAnywhere = first >= 0x80;
  const count = first & 0x1f;
  const splices: Splice[] = [];
  let end = 0;
  for (let index = 0; index < count; index++) {
    const [gap = 0, removedBytes = 0, length = 0] = input.subarray(1 + index * 3, 4 + index * 3);
    // The top bit: a byte before where it was to begin, so that overlapping ones come at any count.
    const offsetBytes = isAnywhere ? gap : end + (gap & 0x0f) - (gap >> 7);
    // No two bytes alike near each other, so that one from elsewhere shows.
    const byteAt = (_: unknown, at: number): number => 0x80 | (index * 31 + at * 7);
    const inserted = Buffer.from(Array.from({ length: length & 0x1f }, byteAt));
    splices.push({ offsetBytes, removedBytes, inserted });
    end = offsetBytes + removedBytes;
  }
  const rest = input.subarray(1 + count * 3);
  const [p = 0, l = 0, q = 0, m = 0] = rest.subarray(0, readings * 2);
  return {
    splices,
    readings: [
      [p, l],
      [q, m],
    ],
    before: rest.subarray(readings * 2),
  };
}

function applied(before: Buffer, splices: readonly Splice[]): Buffer {
  let text = before;
  // From the last on, so that what is before keeps its place.
  for (const { offsetBytes, removedBytes, inserted } of [...splices].reverse()) {
    const tail = text.subarray(offsetBytes + removedBytes);
    text = Buffer.concat([text.subarray(0, offsetBytes), inserted, tail]);
  }
  return text;
}

function isInOrder(before: Buffer, splices: readonly Splice[]): boolean {
  let end = 0;
  for (const { offsetBytes, removedBytes } of splices) {
    if (offsetBytes < end || offsetBytes + removedBytes > before.length) return false;
    end = offsetBytes + removedBytes;
  }
  return true;
}

async function check(input: Buffer): Promise<boolean> {
  const { splices, before, readings: wanted } = take(input);
  const size = await attempt(
    () => afterSizeBytes(before.length, splices),
    (error) => error instanceof RangeError,
  );
  const isRight = isInOrder(before, splices);
  must("value" in size === isRight, "takes splices for right or wrong that are not");
  if (!("value" in size)) return false;
  const after = applied(before, splices);
  must(size.value === after.length, "counts another length", () => `${size.value}`);
  checkStretches(before, splices, after);
  const inMemory = await afterInMemory(before, splices, after.length, async () => {});
  must(inMemory.equals(after), "puts other bytes together in memory");
  const inserted = Buffer.concat(splices.map((splice) => splice.inserted));
  const sources = [
    afterSource(bytesSource(before), splices),
    afterSourceOfTable(bytesSource(before), tableOf(splices), bytesSource(inserted)),
  ];
  for (const source of sources) {
    must(source.sizeBytes === after.length, "tells another length");
    for (const [position, length] of [...wanted, [0, after.length + 1] as const]) {
      const buffer = Buffer.alloc(length, 0xee);
      const count = await source.read(buffer, position);
      const part = after.subarray(position, position + length);
      const where = (): string => `${length} bytes at ${position}`;
      must(count === part.length, "reads another count of bytes", where);
      must(buffer.subarray(0, count).equals(part), "reads other bytes", where);
      must(
        buffer.subarray(count).every((byte) => byte === 0xee),
        "writes behind them",
        where,
      );
    }
  }
  await checkShort(before, splices, after);
  return true;
}

function checkStretches(before: Buffer, splices: readonly Splice[], after: Buffer): void {
  const written = Buffer.concat([before, Buffer.alloc(after.length)]).subarray(0, after.length);
  let end = -1;
  for (const { from, to, bytes } of changedStretches(before.length, splices)) {
    must(from > end && to > from && to <= after.length, "gives stretches out of order");
    const part = after.subarray(from, to);
    must(bytes === undefined || part.equals(bytes), "gives other bytes for a stretch");
    written.set(part, from);
    end = to;
  }
  must(written.equals(after), "leaves a stretch out that differs");
}

/** A before-image that ends early is noticed, if a byte that is missing was wanted. */
async function checkShort(
  before: Buffer,
  splices: readonly Splice[],
  after: Buffer,
): Promise<void> {
  const short = { ...bytesSource(before.subarray(0, -1)), sizeBytes: before.length };
  const last = splices.at(-1);
  const isWanted = last === undefined || last.offsetBytes + last.removedBytes < before.length;
  const buffer = Buffer.alloc(after.length);
  const result = await attempt(
    () => afterSource(short, splices).read(buffer, 0),
    (error) => error instanceof SourceChangedError,
  );
  const isNoticed = "refusal" in result;
  must(isNoticed || !isWanted || before.length === 0, "does not notice a file that ends early");
}

function seeds(): readonly Uint8Array[] {
  const before = Buffer.from("one two three, and four five six seven eight nine ten");
  const dense = Array.from({ length: 12 }, () => [1, 2, 3]).flat();
  return [
    Buffer.concat([Buffer.of(1, 4, 3, 1, 2, 9, 0, 40), before]),
    Buffer.concat([Buffer.of(2, 0, 3, 0, 0, 0, 5, 1, 20, 30, 4), before]),
    Buffer.concat([Buffer.of(12, ...dense, 3, 60, 30, 9), before]),
    Buffer.concat([Buffer.of(0x82, 9, 3, 1, 4, 1, 1, 0, 0, 0, 0), before]),
    Buffer.of(1, 0, 0, 5, 0, 9, 0, 0),
  ];
}

export const target: FuzzTarget = {
  name: "splices",
  form: "bytes",
  words: [],
  maxBytes: 400,
  seeds,
  check,
};
