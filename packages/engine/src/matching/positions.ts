/**
 * Lines and columns of byte offsets. This reads the source once more, up to the last offset: most
 * edits have one place, and to count the lines of what follows it would double the cost of the main
 * pass.
 */
import { type ByteSource, SourceChangedError } from "@fe/journal";
import { countByte } from "./count-byte.ts";
import type { MatchPosition } from "./match-error.ts";
import type { FileForm } from "./text-form.ts";
import { UnitNarrower } from "./utf16.ts";
import type { WorkMeter } from "./work-meter.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Between places that are as near as this the built-in searches cost more than they save. */
const shortBytes = 128;

/** Line and column of each offset, in the order given. */
export async function describePositions(
  source: ByteSource,
  offsets: readonly number[],
  form: FileForm,
  chunkBytes: number,
  meter: WorkMeter,
): Promise<MatchPosition[]> {
  const sorted =
    offsets.length > 1 ? [...new Set(offsets)].sort((one, other) => one - other) : offsets;
  const last = sorted.at(-1);
  if (last === undefined) return [];
  const counter = new LineCounter(form);
  const places = new Map<number, MatchPosition>();
  const length = Math.min(chunkBytes, last);
  const buffer = Buffer.allocUnsafe(source.bytes === undefined ? length : 0);
  let index = 0;
  for (let position = 0; ; ) {
    const chunk = await pieceOf(source, position, Math.min(length, last - position), buffer);
    const end = position + chunk.length;
    let done = 0;
    for (; index < sorted.length; index++) {
      const byteOffset = sorted[index] ?? 0;
      if (byteOffset > end) break;
      counter.feed(chunk.subarray(done, byteOffset - position));
      done = byteOffset - position;
      places.set(byteOffset, { ...counter.place(byteOffset), byteOffset });
    }
    counter.feed(chunk.subarray(done));
    position = end;
    const pending = meter.spend(2 * chunk.length);
    if (pending !== undefined) await pending;
    if (index === sorted.length) break;
  }
  return offsets.flatMap((offset) => places.get(offset) ?? []);
}

/** A view of bytes in memory; else `length` bytes, read into `buffer`. */
async function pieceOf(
  source: ByteSource,
  position: number,
  length: number,
  buffer: Buffer,
): Promise<Buffer> {
  const { bytes } = source;
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset + position, length);
  const piece = buffer.subarray(0, length);
  if ((await source.read(piece, position)) === length) return piece;
  throw new SourceChangedError(source.sizeBytes);
}

/** Counts lines, and characters of the line that is going on. */
class LineCounter {
  readonly #form: FileForm;
  /** Of UTF-16. What it makes of code units is counted like the bytes of UTF-8. */
  readonly #units: UnitNarrower | undefined;
  readonly #lineBreak: number;
  #line = 1;
  #charactersInLine = 0;

  constructor(form: FileForm) {
    const { byteOrder } = form;
    this.#form = form;
    this.#units = byteOrder === undefined ? undefined : new UnitNarrower(byteOrder);
    this.#lineBreak = form.hasLineFeed ? lineFeed : carriageReturn;
  }

  feed(piece: Buffer): void {
    if (piece.length <= shortBytes && this.#units === undefined) this.#feedShort(piece);
    else this.#feedLong(piece);
  }

  /** One by one. */
  #feedShort(bytes: Uint8Array): void {
    const countsAll = !this.#form.isUtf8;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      if (byte === this.#lineBreak) {
        this.#line += 1;
        this.#charactersInLine = 0;
      } else if (countsAll || (byte & 0xc0) !== 0x80) this.#charactersInLine += 1;
    }
  }

  #feedLong(piece: Buffer): void {
    const bytes = this.#units?.narrow(piece) ?? piece;
    const lastBreak = bytes.lastIndexOf(this.#lineBreak);
    if (lastBreak >= 0) {
      this.#line += countByte(bytes.subarray(0, lastBreak + 1), this.#lineBreak);
      this.#charactersInLine = 0;
    }
    const rest = bytes.subarray(lastBreak + 1);
    this.#charactersInLine += this.#countsCharacters() ? countCharacters(rest) : rest.length;
  }

  /** The place after all that was fed. */
  place(byteOffset: number): { line: number; column: number } {
    const hasBom = this.#countsCharacters() && this.#form.bom !== undefined;
    const isAfterBom = this.#line === 1 && hasBom && byteOffset > 0;
    return { line: this.#line, column: this.#charactersInLine + (isAfterBom ? 0 : 1) };
  }

  #countsCharacters(): boolean {
    return this.#form.isUtf8 || this.#units !== undefined;
  }
}

/** Characters of UTF-8: all bytes but those that continue one. */
function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (((bytes[index] ?? 0) & 0xc0) !== 0x80) count += 1;
  }
  return count;
}
