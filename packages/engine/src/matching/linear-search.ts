/**
 * The search that is never worse than linear (Knuth, Morris and Pratt), for what `needle-search.ts`
 * gave up: texts such as `aaaa…` that nearly match everywhere. It takes 4 bytes of memory per byte
 * of the needle, and some ten times as long as the fast search at its best.
 */
import { type ByteSource, SourceChangedError } from "@fe/journal";
import type { WorkMeter } from "./work-meter.ts";

/** How to search. */
export interface SearchMode {
  /** Whether an occurrence may begin within the one before. */
  readonly overlapping: boolean;
  /** The search ends with so many. */
  readonly maxHits: number;
  /** An occurrence begins only at a multiple of so many bytes. @default 1 */
  readonly stepBytes?: number;
}

/** What is searched between two pauses. */
const sliceBytes = 256 * 1024;

/** Positions of `needle` in `source` from `fromBytes` on, ascending. */
export async function searchLinearly(
  source: ByteSource,
  needle: Uint8Array,
  options: {
    readonly fromBytes: number;
    readonly mode: SearchMode;
    readonly chunkBytes: number;
    readonly meter: WorkMeter;
  },
): Promise<number[]> {
  const { mode, meter } = options;
  const { stepBytes = 1 } = mode;
  const borders = await bordersOf(needle, meter);
  const chunk = Buffer.allocUnsafe(Math.min(options.chunkBytes, sliceBytes));
  const hits: number[] = [];
  const longestBorder = at(borders, needle.length - 1);
  const afterHit = mode.overlapping ? longestBorder : 0;
  let matched = 0;
  let position = options.fromBytes;
  while (position < source.sizeBytes && hits.length < mode.maxHits) {
    const piece = chunk.subarray(0, Math.min(chunk.length, source.sizeBytes - position));
    if ((await source.read(piece, position)) < piece.length) {
      throw new SourceChangedError(source.sizeBytes);
    }
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index];
      while (matched > 0 && byte !== needle[matched]) matched = at(borders, matched - 1);
      if (byte === needle[matched]) matched += 1;
      if (matched < needle.length) continue;
      const place = position + index + 1 - needle.length;
      if (place % stepBytes !== 0) {
        matched = longestBorder;
        continue;
      }
      hits.push(place);
      if (hits.length >= mode.maxHits) break;
      matched = afterHit;
    }
    position += piece.length;
    const pending = meter.spend(4 * piece.length);
    if (pending !== undefined) await pending;
  }
  return hits;
}

/** For each beginning of `needle`: length of the longest shorter one that is also its end. */
async function bordersOf(needle: Uint8Array, meter: WorkMeter): Promise<Uint32Array> {
  const borders = new Uint32Array(needle.length);
  let border = 0;
  for (let index = 1; index < needle.length; index++) {
    while (border > 0 && needle[index] !== needle[border]) border = at(borders, border - 1);
    if (needle[index] === needle[border]) border += 1;
    borders[index] = border;
    if (index % sliceBytes !== 0) continue;
    const pending = meter.spend(4 * sliceBytes);
    if (pending !== undefined) await pending;
  }
  return borders;
}

/** An element that is known to be there. */
function at(borders: Uint32Array, index: number): number {
  return borders[index] ?? 0;
}
