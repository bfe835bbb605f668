/**
 * The after-image as changes of the before-image. Pure; the bytes of the before-image are asked for
 * only by {@link afterSource}, and only those that are wanted.
 *
 * S1  Splices are in before-image coordinates, sorted by offset, and do not overlap: each begins
 *     at or after the end of the one before. Two may touch.
 */
import type { ByteSource } from "./byte-source.ts";
import { WindowReader } from "./window-reader.ts";

/**
 * One change: `removedBytes` bytes at `offsetBytes` of the before-image give way to `inserted`,
 * either of which may be none. Both are whole numbers, from 0.
 */
export interface Splice {
  readonly offsetBytes: number;
  readonly removedBytes: number;
  readonly inserted: Uint8Array;
}

/** Bytes of the after-image from `from` up to, not with, `to`; never none. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** All of it, if it is what one splice inserts and nothing else. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * Length of the after-image.
 *
 * Errors: `RangeError` if the splices break S1 or reach beyond the before-image.
 */
export function afterSizeBytes(beforeSizeBytes: number, splices: readonly Splice[]): number {
  let size = beforeSizeBytes;
  let end = 0;
  let index = 0;
  for (const { offsetBytes, removedBytes, inserted } of splices) {
    const isInPlace =
      Number.isSafeInteger(offsetBytes) &&
      Number.isSafeInteger(removedBytes) &&
      removedBytes >= 0 &&
      offsetBytes >= end &&
      offsetBytes + removedBytes <= beforeSizeBytes;
    if (!isInPlace) {
      throw new RangeError(
        `Splice ${index} is out of order or out of range: ${removedBytes} bytes at ${offsetBytes}`,
      );
    }
    end = offsetBytes + removedBytes;
    size += inserted.length - removedBytes;
    index += 1;
  }
  return size;
}

/** To put together so many splices takes about a millisecond. */
const splicesPerBreath = 8192;

/**
 * The after-image of bytes in memory, put together in one pass. The splices must obey S1 and make
 * `afterBytes` of them. `breathe` lets the event loop turn; it is told how many were done.
 */
export async function afterInMemory(
  before: Uint8Array,
  splices: readonly Splice[],
  afterBytes: number,
  breathe: (splices: number) => Promise<unknown>,
): Promise<Buffer> {
  const after = Buffer.allocUnsafe(afterBytes);
  // Views of a Buffer take several times as long to make.
  const source = new Uint8Array(before.buffer, before.byteOffset, before.length);
  let from = 0;
  let to = 0;
  let untilBreath = splicesPerBreath;
  for (const { offsetBytes, removedBytes, inserted } of splices) {
    if (offsetBytes > from) {
      after.set(source.subarray(from, offsetBytes), to);
      to += offsetBytes - from;
    }
    after.set(inserted, to);
    to += inserted.length;
    from = offsetBytes + removedBytes;
    untilBreath -= 1;
    if (untilBreath > 0) continue;
    untilBreath = splicesPerBreath;
    await breathe(splicesPerBreath);
  }
  after.set(source.subarray(from), to);
  return after;
}

/**
 * What has to be written over the before-image to make the after-image of it, in order: inserted
 * bytes, and kept ones that do not stand at their place. What follows each other is one stretch.
 * The splices must obey S1.
 */
export function* changedStretches(
  beforeSizeBytes: number,
  splices: readonly Splice[],
): Generator<Stretch> {
  let from = 0;
  let to = 0;
  let bytes: Uint8Array | undefined;
  // How much further right than in the before-image the kept bytes stand.
  let shift = 0;
  for (const { offsetBytes, removedBytes, inserted } of splices) {
    const start = offsetBytes + shift;
    if (shift !== 0 || start === to) {
      bytes = from === start ? inserted : undefined;
    } else {
      if (to > from) yield { from, to, bytes };
      from = start;
      bytes = inserted;
    }
    to = start + inserted.length;
    shift += inserted.length - removedBytes;
  }
  const end = beforeSizeBytes + shift;
  if (shift !== 0 && to < end) {
    to = end;
    bytes = undefined;
  }
  if (to > from) yield { from, to, bytes };
}

/**
 * Splices as columns of numbers, so that a million of them take 16 MB whatever they insert. The
 * bytes they insert stand elsewhere, one after the other.
 */
export interface SpliceTable {
  readonly count: number;
  readonly offsetBytes: Uint32Array;
  readonly removedBytes: Uint32Array;
  readonly insertedBytes: Uint32Array;
}

/** Gives the inserted bytes of splice `index`, from `skip` on, into all of `buffer`. */
type FillInserted = (
  buffer: Uint8Array,
  index: number,
  skip: number,
) => undefined | Promise<unknown>;

/**
 * The after-image of `splices`, readable at any position. Neither the splices nor their bytes may
 * change as long as it is used. The splices must obey S1.
 */
export function afterSource(before: ByteSource, splices: readonly Splice[]): ByteSource {
  const table = tableOf(splices);
  return splicedSource(before, table, () => (buffer, index, skip) => {
    const inserted = splices[index]?.inserted ?? new Uint8Array();
    buffer.set(inserted.subarray(skip, skip + buffer.length));
    return undefined;
  });
}

/** The same from a table and the inserted bytes in a row, both of which obey S1. */
export function afterSourceOfTable(
  before: ByteSource,
  table: SpliceTable,
  inserted: ByteSource,
): ByteSource {
  const starts = new Uint32Array(table.count);
  let position = 0;
  for (let index = 0; index < table.count; index++) {
    starts[index] = position;
    position += at(table.insertedBytes, index);
  }
  return splicedSource(before, table, (isDense) => {
    const reader = new WindowReader(inserted, isDense);
    return (buffer, index, skip) => reader.fill(buffer, at(starts, index) + skip);
  });
}

/** The columns of `splices`. */
export function tableOf(splices: readonly Splice[]): SpliceTable {
  const table = {
    count: splices.length,
    offsetBytes: new Uint32Array(splices.length),
    removedBytes: new Uint32Array(splices.length),
    insertedBytes: new Uint32Array(splices.length),
  };
  for (const [index, splice] of splices.entries()) {
    table.offsetBytes[index] = splice.offsetBytes;
    table.removedBytes[index] = splice.removedBytes;
    table.insertedBytes[index] = splice.inserted.length;
  }
  return table;
}

function splicedSource(
  before: ByteSource,
  table: SpliceTable,
  inserted: (isDense: boolean) => FillInserted,
): ByteSource {
  // Where the inserted bytes of each splice begin in the after-image.
  const starts = new Uint32Array(table.count);
  let size = before.sizeBytes;
  for (let index = 0; index < table.count; index++) {
    starts[index] = at(table.offsetBytes, index) + (size - before.sizeBytes);
    size += at(table.insertedBytes, index) - at(table.removedBytes, index);
  }
  return {
    sizeBytes: size,
    async read(buffer, positionBytes) {
      const end = Math.min(size, positionBytes + buffer.length);
      if (positionBytes >= end) return 0;
      const first = lastAtOrBefore(starts, positionBytes);
      const isDense = lastAtOrBefore(starts, end - 1) - first > denseFrom;
      const kept = new WindowReader(before, isDense);
      const fillInserted = inserted(isDense);
      let index = first;
      let position = positionBytes;
      while (position < end) {
        const skip = index < 0 ? 0 : position - at(starts, index);
        const insertedLength = index < 0 ? 0 : at(table.insertedBytes, index);
        if (skip < insertedLength) {
          const length = Math.min(insertedLength - skip, end - position);
          const target = buffer.subarray(
            position - positionBytes,
            position - positionBytes + length,
          );
          const pending = fillInserted(target, index, skip);
          if (pending !== undefined) await pending;
          position += length;
          continue;
        }
        const next = index + 1 < table.count ? at(starts, index + 1) : size;
        const length = Math.min(next, end) - position;
        if (length > 0) {
          const origin =
            index < 0
              ? position
              : endOf(table, index) + (position - at(starts, index)) - insertedLength;
          const target = buffer.subarray(
            position - positionBytes,
            position - positionBytes + length,
          );
          const pending = kept.fill(target, origin);
          if (pending !== undefined) await pending;
          position += length;
        }
        index += 1;
      }
      return end - positionBytes;
    },
  };
}

/** From so many splices in one reading on, small pieces are read by way of a window. */
const denseFrom = 4;

/** First before-image byte after splice `index`. */
function endOf(table: SpliceTable, index: number): number {
  return at(table.offsetBytes, index) + at(table.removedBytes, index);
}

/** Index of the last of the sorted `starts` that is at most `position`; -1 if there is none. */
function lastAtOrBefore(starts: Uint32Array, position: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(starts, middle) <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** An element that is known to be there. */
function at(column: Uint32Array, index: number): number {
  return column[index] ?? 0;
}
