/** A whole content in place of edits: one splice, without what both versions begin and end with. */
import { type ByteSource, SourceChangedError, type Splice } from "@fe/journal";
import { type ContentSum, sha256Sum } from "./content-sum.ts";
import { defaultSizes } from "./limits.ts";
import type { Located } from "./locate.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { WorkMeter } from "./work-meter.ts";

/** How to compare. */
export interface WholeOptions {
  /** Given, a diff is made as well, with this path in its header. */
  readonly diffPath?: string;
  /** Makes the sum of the file. @default SHA-256 */
  readonly newSum?: () => ContentSum;
  readonly signal?: AbortSignal;
}

/**
 * What makes `bytes` of `before`. Reads the source twice at most.
 *
 * Errors: `SourceChangedError`; the signal's reason; whatever `before.read` throws.
 */
export async function locateWhole(
  before: ByteSource,
  bytes: Uint8Array,
  { diffPath, newSum = sha256Sum, signal }: WholeOptions,
): Promise<Located> {
  const meter = new WorkMeter(signal);
  meter.throwIfAborted();
  const sum = newSum();
  let head = 0;
  await eachPiece(before, meter, (piece, position) => {
    sum.update(piece);
    if (head === position) head += sameAtStart(piece, bytes.subarray(position));
  });
  const splices = await spliceOf(before, bytes, head, meter);
  const diff =
    diffPath === undefined
      ? undefined
      : await unifiedDiff(before, splices, { path: diffPath }, meter);
  return {
    splices,
    replacements: splices.length,
    matchCounts: [],
    matches: [],
    matchesTruncated: false,
    lineEndings: "not-examined",
    mixesLineEnds: false,
    beforeSum: sum.digest(),
    after: undefined,
    ...(diff === undefined ? {} : { diff }),
  };
}

async function eachPiece(
  source: ByteSource,
  meter: WorkMeter,
  visit: (piece: Buffer, position: number) => void,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(defaultSizes.chunkBytes, source.sizeBytes));
  for (let position = 0; position < source.sizeBytes; position += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, source.sizeBytes - position));
    if ((await source.read(piece, position)) < piece.length) {
      throw new SourceChangedError(source.sizeBytes);
    }
    visit(piece, position);
    const pending = meter.spend(2 * piece.length);
    if (pending !== undefined) await pending;
  }
}

async function spliceOf(
  before: ByteSource,
  bytes: Uint8Array,
  head: number,
  meter: WorkMeter,
): Promise<readonly Splice[]> {
  if (head === bytes.length && head === before.sizeBytes) return [];
  const most = Math.min(bytes.length, before.sizeBytes) - head;
  let tail = 0;
  const buffer = Buffer.allocUnsafe(Math.min(defaultSizes.chunkBytes, most));
  while (tail < most) {
    const piece = buffer.subarray(0, Math.min(buffer.length, most - tail));
    const start = before.sizeBytes - tail - piece.length;
    if ((await before.read(piece, start)) < piece.length) {
      throw new SourceChangedError(before.sizeBytes);
    }
    const end = bytes.length - tail;
    const same = sameAtEnd(piece, bytes.subarray(end - piece.length, end));
    tail += same;
    if (same < piece.length) break;
    const pending = meter.spend(2 * piece.length);
    if (pending !== undefined) await pending;
  }
  const inserted = bytes.subarray(head, bytes.length - tail);
  return [{ offsetBytes: head, removedBytes: before.sizeBytes - head - tail, inserted }];
}

function sameAtStart(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  for (let index = 0; index < most; index++) if (one[index] !== other[index]) return index;
  return most;
}

/** Of two of the same length. */
function sameAtEnd(one: Uint8Array, other: Uint8Array): number {
  for (let index = 0; index < one.length; index++) {
    const at = one.length - 1 - index;
    if (one[at] !== other[at]) return index;
  }
  return one.length;
}
