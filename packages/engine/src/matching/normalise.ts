/**
 * Splices reduced to what they change.
 *
 * One edit's splices are trimmed when they are made. Several edits together can still come back to
 * what was there (`a` to `b`, then `b` to `a`), which only the before-image can tell.
 */
import type { ByteSource, Splice } from "@fe/journal";
import { RangeReader } from "./range-reader.ts";
import type { WorkMeter } from "./work-meter.ts";

/** To look at one splice costs about as much as looking at so many bytes. */
const spliceCost = 256;

/** What is compared at once. */
const pieceBytes = 64 * 1024;

/**
 * The same change without bytes at either end of a splice that are already there, and without
 * splices that change nothing: an empty list means that the text stays as it is. Equal bytes in the
 * middle of a splice remain. What is left off is a multiple of `step` bytes.
 */
export async function dropUnchanged(
  before: ByteSource,
  splices: readonly Splice[],
  meter: WorkMeter,
  step = 1,
): Promise<Splice[]> {
  const reader = new RangeReader(before);
  const changed: Splice[] = [];
  for (const splice of splices) {
    const pending = meter.spend(spliceCost);
    if (pending !== undefined) await pending;
    const sameHead = await sameAtStart(reader, splice, meter);
    const head = sameHead - (sameHead % step);
    const sameTail = await sameAtEnd(reader, splice, head, meter);
    const tail = sameTail - (sameTail % step);
    const removedBytes = splice.removedBytes - head - tail;
    const inserted = splice.inserted.subarray(head, splice.inserted.length - tail);
    if (removedBytes === 0 && inserted.length === 0) continue;
    changed.push({ offsetBytes: splice.offsetBytes + head, removedBytes, inserted });
  }
  return changed;
}

async function sameAtStart(
  reader: RangeReader,
  { offsetBytes, removedBytes, inserted }: Splice,
  meter: WorkMeter,
): Promise<number> {
  const length = Math.min(removedBytes, inserted.length);
  for (let done = 0; done < length; ) {
    const end = Math.min(done + pieceBytes, length);
    const piece = await reader.read(offsetBytes + done, offsetBytes + end);
    for (let index = 0; index < piece.length; index++) {
      if (piece[index] !== inserted[done + index]) return done + index;
    }
    done = end;
    const pending = meter.spend(piece.length);
    if (pending !== undefined) await pending;
  }
  return length;
}

/** Bytes that are the same at the end, those of `head` not counted again. */
async function sameAtEnd(
  reader: RangeReader,
  { offsetBytes, removedBytes, inserted }: Splice,
  head: number,
  meter: WorkMeter,
): Promise<number> {
  const length = Math.min(removedBytes, inserted.length) - head;
  const end = offsetBytes + removedBytes;
  for (let done = 0; done < length; ) {
    const next = Math.min(done + pieceBytes, length);
    const piece = await reader.read(end - next, end - done);
    for (let index = 0; index < piece.length; index++) {
      const fromEnd = done + index;
      if (piece[piece.length - 1 - index] !== inserted[inserted.length - 1 - fromEnd])
        return fromEnd;
    }
    done = next;
    const pending = meter.spend(piece.length);
    if (pending !== undefined) await pending;
  }
  return length;
}
