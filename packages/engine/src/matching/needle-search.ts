/**
 * Finds one byte string in a source that is shown window by window.
 *
 * N1  Positions are found in ascending order, each once, wherever a window ends.
 * N2  No call blocks for long: work is metered, and what would be quadratic is left to
 *     `linear-search.ts`, from the position at which it became so.
 *
 * Node's own search is fast and can be very slow (`limits.ts`), so it only gets the beginning of
 * the needle, and only slices; the rest is compared where that hits.
 */
import type { ByteSource } from "@fe/journal";
import { SourceChangedError } from "@fe/journal";
import type { LocateSizes } from "./limits.ts";
import { type SearchMode, searchLinearly } from "./linear-search.ts";
import type { WorkMeter } from "./work-meter.ts";

/** A comparison costs about as much as looking at so many bytes. */
const comparisonCost = 200;

/** One search; see {@link NeedleSearch.search} and {@link NeedleSearch.finish}. */
export class NeedleSearch {
  readonly needle: Uint8Array;
  readonly #mode: SearchMode;
  readonly #sizes: LocateSizes;
  readonly #meter: WorkMeter;
  /** As much of the needle as is compared within a window. */
  readonly #prefix: Uint8Array;
  readonly #anchor: Uint8Array;
  readonly #found: number[] = [];
  #nextBytes = 0;
  #failures = 0;
  #isEnded = false;
  #gaveUpAtBytes: number | undefined;

  constructor(needle: Uint8Array, mode: SearchMode, sizes: LocateSizes, meter: WorkMeter) {
    this.needle = needle;
    this.#mode = mode;
    this.#sizes = sizes;
    this.#meter = meter;
    this.#prefix = needle.subarray(0, sizes.windowedBytes);
    this.#anchor = needle.subarray(0, Math.min(sizes.anchorBytes, sizes.windowedBytes));
  }

  /** How many bytes at the end of a window must be at the beginning of the next one. */
  get carryBytes(): number {
    return this.#prefix.length - 1;
  }

  /** Searches a window, which begins at `startBytes` of the source. */
  async search(window: Buffer, startBytes: number): Promise<void> {
    while (!this.#isEnded) {
      const from = this.#nextBytes - startBytes;
      if (from + this.#prefix.length > window.length) return;
      const length = this.#sizes.sliceBytes + this.#anchor.length - 1;
      const slice = window.subarray(from, from + length);
      await this.#searchSlice(slice, window, startBytes, from);
      // A long anchor may need several looks at each byte.
      const pending = this.#meter.spend(slice.length * (this.#anchor.length > 4 ? 4 : 1));
      if (pending !== undefined) await pending;
    }
  }

  /** `slice` is `window` from `from` on. */
  async #searchSlice(
    slice: Buffer,
    window: Buffer,
    startBytes: number,
    from: number,
  ): Promise<void> {
    const { overlapping, stepBytes = 1 } = this.#mode;
    let next = 0;
    for (;;) {
      const hit = slice.indexOf(this.#anchor, next);
      if (hit < 0) break;
      const place = from + hit;
      if (place + this.#prefix.length > window.length) {
        this.#nextBytes = startBytes + place;
        return;
      }
      if ((startBytes + place) % stepBytes !== 0) {
        next = hit + 1;
      } else if (this.#isPrefixAt(window, place)) {
        this.#keep(startBytes + place);
        next = hit + (overlapping || this.#isLong() ? 1 : this.#prefix.length);
      } else {
        this.#failures += 1;
        if (this.#failures > this.#sizes.maxFailedComparisons) this.#giveUp(startBytes + place);
        next = hit + 1;
      }
      if (this.#isEnded) return;
      const pending = this.#meter.spend(comparisonCost + this.#prefix.length / 16);
      if (pending !== undefined) await pending;
    }
    const searched = slice.length - this.#anchor.length + 1;
    this.#nextBytes = startBytes + from + Math.max(next, searched);
  }

  #isPrefixAt(window: Buffer, place: number): boolean {
    if (this.#prefix.length === this.#anchor.length) return true;
    return (
      window.compare(this.#prefix, 0, this.#prefix.length, place, place + this.#prefix.length) === 0
    );
  }

  #isLong(): boolean {
    return this.#prefix.length < this.needle.length;
  }

  #keep(positionBytes: number): void {
    if (this.#isLong() && this.#found.length >= this.#sizes.maxLongCandidates) {
      this.#giveUp(positionBytes);
      return;
    }
    this.#found.push(positionBytes);
    if (!this.#isLong() && this.#found.length >= this.#mode.maxHits) this.#isEnded = true;
  }

  #giveUp(positionBytes: number): void {
    this.#gaveUpAtBytes = positionBytes;
    this.#isEnded = true;
  }

  /**
   * The positions, after the last window; at most `maxHits`. Of `source` only what windows could
   * not show is read, if anything.
   */
  async finish(source: ByteSource): Promise<readonly number[]> {
    const hits = this.#isLong() ? await this.#confirm(source) : this.#found;
    if (this.#gaveUpAtBytes === undefined || hits.length >= this.#mode.maxHits) return hits;
    const last = hits.at(-1);
    const end = last === undefined || this.#mode.overlapping ? 0 : last + this.needle.length;
    const rest = await searchLinearly(source, this.needle, {
      fromBytes: Math.max(this.#gaveUpAtBytes, end),
      mode: { ...this.#mode, maxHits: this.#mode.maxHits - hits.length },
      chunkBytes: this.#sizes.chunkBytes,
      meter: this.#meter,
    });
    return [...hits, ...rest];
  }

  /** Compares the rest of a long needle wherever its beginning was found. */
  async #confirm(source: ByteSource): Promise<number[]> {
    const hits: number[] = [];
    let end = 0;
    for (const candidate of this.#found) {
      if (candidate < end) continue;
      if (!(await this.#isRestAt(source, candidate))) continue;
      hits.push(candidate);
      if (hits.length >= this.#mode.maxHits) break;
      if (!this.#mode.overlapping) end = candidate + this.needle.length;
    }
    return hits;
  }

  async #isRestAt(source: ByteSource, candidate: number): Promise<boolean> {
    if (candidate + this.needle.length > source.sizeBytes) return false;
    const buffer = Buffer.allocUnsafe(this.#sizes.chunkBytes);
    let done = this.#prefix.length;
    while (done < this.needle.length) {
      const expected = this.needle.subarray(done, done + buffer.length);
      const piece = buffer.subarray(0, expected.length);
      const count = await source.read(piece, candidate + done);
      if (count < piece.length) throw new SourceChangedError(source.sizeBytes);
      if (!piece.equals(expected)) return false;
      done += piece.length;
      const pending = this.#meter.spend(piece.length);
      if (pending !== undefined) await pending;
    }
    return true;
  }
}
