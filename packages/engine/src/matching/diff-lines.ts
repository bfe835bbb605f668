/**
 * Lines of a source by their offsets, found without reading more than what is near; and changes of
 * it as whole lines.
 *
 * L1  A line ends after LF, or at the end of the source. A CR is part of its line.
 * L2  Of UTF-16, whose LF has two bytes, all offsets are those of code units.
 */
import type { ByteSource, Splice } from "@fe/journal";
import { countByte } from "./count-byte.ts";
import { RangeReader } from "./range-reader.ts";
import type { ByteOrder } from "./text-form.ts";
import { encodeUtf16, indexOfUnit, lastIndexOfUnit, unitBytes } from "./utf16.ts";
import type { WorkMeter } from "./work-meter.ts";

const lineFeed = 0x0a;

/** How a line ends, and where in some bytes the next or the last one does. */
export interface LineBreak {
  readonly sizeBytes: number;
  indexIn(bytes: Buffer, from: number): number;
  lastIndexIn(bytes: Buffer): number;
  countIn(bytes: Buffer): number;
}

const byteBreak: LineBreak = {
  sizeBytes: 1,
  indexIn: (bytes, from) => bytes.indexOf(lineFeed, from),
  lastIndexIn: (bytes) => bytes.lastIndexOf(lineFeed),
  countIn: (bytes) => countByte(bytes, lineFeed),
};

/** The line break of UTF-16; without a byte order, of everything else. */
export function lineBreakOf(byteOrder: ByteOrder | undefined): LineBreak {
  if (byteOrder === undefined) return byteBreak;
  const unit = encodeUtf16("\n", byteOrder);
  const indexIn = (bytes: Buffer, from: number): number => indexOfUnit(bytes, unit, from);
  return {
    sizeBytes: unitBytes,
    indexIn,
    lastIndexIn: (bytes) => lastIndexOfUnit(bytes, unit),
    countIn(bytes) {
      let count = 0;
      for (let at = indexIn(bytes, 0); at >= 0; at = indexIn(bytes, at + unitBytes)) count += 1;
      return count;
    },
  };
}

/** Whether a line ends with the last of some bytes. */
export function endsLine(bytes: Buffer, { sizeBytes, lastIndexIn }: LineBreak): boolean {
  return bytes.length >= sizeBytes && lastIndexIn(bytes.subarray(-sizeBytes)) === 0;
}

/** What is looked at at once. */
const stepBytes = 16 * 1024;

/** Something is longer than what may be shown. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";
}

/** Whole lines of the source, `startBytes` to `endBytes`, and what stands there afterwards. */
export interface LineChange {
  readonly startBytes: number;
  readonly endBytes: number;
  readonly after: Buffer;
}

/** Finds and reads lines; nothing longer than `maxBytes`, which is a `TooLongError`. */
export class LineReader {
  readonly #source: ByteSource;
  readonly #reader: RangeReader;
  readonly #meter: WorkMeter;
  readonly #maxBytes: number;
  readonly lineBreak: LineBreak;

  constructor(source: ByteSource, lineBreak: LineBreak, meter: WorkMeter, maxBytes: number) {
    this.#source = source;
    this.lineBreak = lineBreak;
    this.#reader = new RangeReader(source);
    this.#meter = meter;
    this.#maxBytes = maxBytes;
  }

  get sizeBytes(): number {
    return this.#source.sizeBytes;
  }

  /** Whether a line begins at `offset`, if there is anything. */
  async isStart(offset: number): Promise<boolean> {
    const { sizeBytes } = this.lineBreak;
    return offset === 0 || endsLine(await this.#piece(offset - sizeBytes, offset), this.lineBreak);
  }

  /** Where the line begins that has `offset` in it or at its end. */
  async startOf(offset: number): Promise<number> {
    for (let end = offset; end > 0; end -= stepBytes) {
      if (offset - end > this.#maxBytes) throw new TooLongError();
      const start = Math.max(0, end - stepBytes);
      const found = this.lineBreak.lastIndexIn(await this.#piece(start, end));
      if (found >= 0) return start + found + this.lineBreak.sizeBytes;
    }
    return 0;
  }

  /** Where the line of `offset` ends. */
  async endOf(offset: number): Promise<number> {
    for (let start = offset; start < this.sizeBytes; start += stepBytes) {
      if (start - offset > this.#maxBytes) throw new TooLongError();
      const end = Math.min(this.sizeBytes, start + stepBytes);
      const found = this.lineBreak.indexIn(await this.#piece(start, end), 0);
      if (found >= 0) return start + found + this.lineBreak.sizeBytes;
    }
    return this.sizeBytes;
  }

  /** Where the last `count` lines before `start` begin, or fewer if there are no more. */
  async back(start: number, count: number): Promise<number> {
    let at = start;
    for (let done = 0; done < count && at > 0; done++) {
      at = await this.startOf(at - this.lineBreak.sizeBytes);
    }
    return at;
  }

  /** Where the next `count` lines from `start` on end; not further than `limit` need be looked. */
  async forward(start: number, count: number, limit: number = this.sizeBytes): Promise<number> {
    let at = start;
    for (let done = 0; done < count && at < limit; done++) at = await this.endOf(at);
    return at;
  }

  async countBreaks(from: number, to: number): Promise<number> {
    let count = 0;
    const step = 8 * stepBytes;
    for (let start = from; start < to; start += step) {
      count += this.lineBreak.countIn(await this.#piece(start, Math.min(to, start + step)));
    }
    return count;
  }

  /** A copy of the bytes. */
  async read(from: number, to: number): Promise<Buffer> {
    if (to - from > this.#maxBytes) throw new TooLongError();
    const bytes = Buffer.allocUnsafe(to - from);
    for (let start = from; start < to; start += stepBytes) {
      const piece = await this.#piece(start, Math.min(to, start + stepBytes));
      bytes.set(piece, start - from);
    }
    return bytes;
  }

  async #piece(from: number, to: number): Promise<Buffer> {
    const read = this.#reader.read(from, to);
    const piece = Buffer.isBuffer(read) ? read : await read;
    const pending = this.#meter.spend(2 * piece.length);
    if (pending !== undefined) await pending;
    return piece;
  }
}

/** The splices as changes of whole lines, in order; those that share a line are one. */
export async function* lineChanges(
  lines: LineReader,
  splices: readonly Splice[],
  maxBytes: number,
): AsyncGenerator<LineChange> {
  let index = 0;
  for (;;) {
    const first = splices[index];
    if (first === undefined) return;
    const startBytes = await lines.startOf(first.offsetBytes);
    const after: Buffer[] = [];
    let size = 0;
    const add = (bytes: Uint8Array): void => {
      size += bytes.length;
      if (size > maxBytes) throw new TooLongError();
      if (bytes.length > 0) after.push(Buffer.from(bytes));
    };
    let done = startBytes;
    for (;;) {
      const splice = splices[index];
      if (splice === undefined) break;
      if (splice.inserted.length > maxBytes) throw new TooLongError();
      add(await lines.read(done, splice.offsetBytes));
      add(splice.inserted);
      done = splice.offsetBytes + splice.removedBytes;
      index += 1;
      const end = await endOfChange(lines, done, after);
      const next = splices[index]?.offsetBytes;
      const isShared =
        next !== undefined && (next < end || (next === end && !(await lines.isStart(end))));
      if (isShared) continue;
      add(await lines.read(done, end));
      const before = await lines.read(startBytes, end);
      const change = trimmed(startBytes, before, Buffer.concat(after), lines.lineBreak);
      // Splices may put back what was there; an empty change would only add context.
      if (change.startBytes < change.endBytes || change.after.length > 0) yield change;
      break;
    }
  }
}

/**
 * The change without lines at either end that stay the same. `patch` takes a hunk with more context
 * on one side for one at the other end of the file, so these must not stay in it.
 */
function trimmed(
  startBytes: number,
  before: Buffer,
  after: Buffer,
  lineBreak: LineBreak,
): LineChange {
  const removed = linesOf(before, lineBreak);
  const added = linesOf(after, lineBreak);
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && isSame(removed[head], added[head])) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(removed.at(-1 - tail), added.at(-1 - tail))) tail += 1;
  const headBytes = sizeOf(removed.slice(0, head));
  const tailBytes = sizeOf(removed.slice(removed.length - tail));
  return {
    startBytes: startBytes + headBytes,
    endBytes: startBytes + before.length - tailBytes,
    after: after.subarray(headBytes, after.length - tailBytes),
  };
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one !== undefined && other !== undefined && one.equals(other);
}

function sizeOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

/** The lines of some bytes, each with its LF. */
export function linesOf(bytes: Buffer, lineBreak: LineBreak): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = lineBreak.indexIn(bytes, start);
    const end = found < 0 ? bytes.length : found + lineBreak.sizeBytes;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/** Where the lines end that a change up to `offset` touches. */
async function endOfChange(
  lines: LineReader,
  offset: number,
  after: readonly Buffer[],
): Promise<number> {
  if (offset === lines.sizeBytes) return offset;
  const last = after.at(-1);
  const isWhole = last === undefined || endsLine(last, lines.lineBreak);
  return isWhole && (await lines.isStart(offset)) ? offset : lines.endOf(offset);
}
