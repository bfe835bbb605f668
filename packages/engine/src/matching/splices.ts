/**
 * Splices put together. The type, and the after-image that they make, are in `@fe/journal`.
 *
 * C1  The result is sorted and disjoint, in before-image coordinates, and inserts at no offset
 *     twice.
 * C2  Applying `composeSplices(first, second)` is applying `first`, then `second`.
 */
import type { Splice } from "@fe/journal";

const infinite = Number.POSITIVE_INFINITY;
const nothing = new Uint8Array();

/** Collects one splice after the other, and joins what touches. */
class SpliceBuilder {
  readonly splices: Splice[] = [];
  #before = 0;
  #removed = 0;
  #inserted: Uint8Array[] = [];

  keep(bytes: number): void {
    if (bytes === 0) return;
    this.#flush();
    this.#before += bytes;
  }

  remove(bytes: number): void {
    this.#removed += bytes;
  }

  insert(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#inserted.push(bytes);
  }

  finish(): Splice[] {
    this.#flush();
    return this.splices;
  }

  #flush(): void {
    const [first] = this.#inserted;
    if (this.#removed > 0 || first !== undefined) {
      this.splices.push({
        offsetBytes: this.#before,
        removedBytes: this.#removed,
        // One piece is shared, not copied: a million places may insert the same bytes.
        inserted: this.#inserted.length > 1 ? Buffer.concat(this.#inserted) : (first ?? nothing),
      });
    }
    this.#before += this.#removed;
    this.#removed = 0;
    this.#inserted = [];
  }
}

/** What a splice list says of the stretch of text that comes next. */
type Token =
  | { kind: "keep"; bytes: number }
  | { kind: "replace"; removed: number; inserted: Uint8Array };

/** The splices as a gapless sequence; after the last one everything is kept. */
class TokenReader {
  readonly #splices: readonly Splice[];
  #index = 0;
  #position = 0;
  current: Token;

  constructor(splices: readonly Splice[]) {
    this.#splices = splices;
    this.current = this.#next();
  }

  advance(): void {
    this.current = this.#next();
  }

  /** Only what is kept to the end of the text is left. */
  isAtEnd(): boolean {
    return this.current.kind === "keep" && this.current.bytes === infinite;
  }

  #next(): Token {
    const splice = this.#splices[this.#index];
    if (splice === undefined) return { kind: "keep", bytes: infinite };
    if (splice.offsetBytes > this.#position) {
      const bytes = splice.offsetBytes - this.#position;
      this.#position = splice.offsetBytes;
      return { kind: "keep", bytes };
    }
    this.#index += 1;
    this.#position += splice.removedBytes;
    return { kind: "replace", removed: splice.removedBytes, inserted: splice.inserted };
  }
}

/**
 * Two lists as one. `second` is in coordinates of the text that `first` makes; it may change text
 * that `first` inserted. Pure; takes time and memory in proportion to both lists, whatever the
 * text's size.
 */
export function composeSplices(first: readonly Splice[], second: readonly Splice[]): Splice[] {
  const steps = composeInSteps(first, second);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * {@link composeSplices} that yields the number of steps after some, where others may have their
 * turn.
 */
export function* composeInSteps(
  first: readonly Splice[],
  second: readonly Splice[],
): Generator<number, Splice[]> {
  const builder = new SpliceBuilder();
  const made = new TokenReader(first);
  const change = new TokenReader(second);
  for (let step = 1; !(made.isAtEnd() && change.isAtEnd()); step++) {
    composeStep(builder, made, change);
    if (step % stepsPerYield === 0) yield stepsPerYield;
  }
  return builder.finish();
}

/** A step takes less than a microsecond. */
const stepsPerYield = 4096;

/** Takes from both lists as much as lies in one token of each. */
function composeStep(builder: SpliceBuilder, made: TokenReader, change: TokenReader): void {
  const from = made.current;
  const to = change.current;
  if (from.kind === "replace") {
    builder.remove(from.removed);
    from.removed = 0;
  }
  if (to.kind === "replace") {
    builder.insert(to.inserted);
    to.inserted = nothing;
  }
  const available = from.kind === "keep" ? from.bytes : from.inserted.length;
  const wanted = to.kind === "keep" ? to.bytes : to.removed;
  const length = Math.min(available, wanted);
  if (from.kind === "keep") {
    if (to.kind === "keep") builder.keep(length);
    else builder.remove(length);
    from.bytes -= length;
  } else {
    if (to.kind === "keep") builder.insert(from.inserted.subarray(0, length));
    from.inserted = from.inserted.subarray(length);
  }
  if (to.kind === "keep") to.bytes -= length;
  else to.removed -= length;
  if (available === length) made.advance();
  if (wanted === length) change.advance();
}

/** A replacement without the bytes that it would only write again. */
export interface Trimmed {
  /** How many bytes at the beginning are the same. */
  readonly skipBytes: number;
  readonly removedBytes: number;
  /** A view of the bytes given, not a copy. */
  readonly inserted: Uint8Array;
}

/**
 * Cuts off what both have in common at the beginning, then at the end: only changed bytes need to
 * be recorded and written, and a replacement that changes nothing is seen by both lengths being 0.
 * `step`: what is cut off is a multiple of so many bytes.
 */
export function trimEnds(removed: Uint8Array, inserted: Uint8Array, step = 1): Trimmed {
  const shorter = Math.min(removed.length, inserted.length);
  let head = 0;
  while (head < shorter && removed[head] === inserted[head]) head += 1;
  head -= head % step;
  let tail = 0;
  while (
    tail < shorter - head &&
    removed[removed.length - 1 - tail] === inserted[inserted.length - 1 - tail]
  ) {
    tail += 1;
  }
  tail -= tail % step;
  return {
    skipBytes: head,
    removedBytes: removed.length - head - tail,
    inserted: inserted.subarray(head, inserted.length - tail),
  };
}

/**
 * Where ascending positions of the text that `splices` make come from in the before-image. A
 * position within inserted bytes comes from where these were put in.
 */
export function positionsBefore(
  splices: readonly Splice[],
  positions: readonly number[],
): number[] {
  let index = 0;
  // How much further right the text is than in the before-image, before the splice at `index`.
  let shift = 0;
  return positions.map((position) => {
    for (;;) {
      const splice = splices[index];
      if (splice === undefined || position < splice.offsetBytes + shift) return position - shift;
      const insertedEnd = splice.offsetBytes + shift + splice.inserted.length;
      if (position < insertedEnd) return splice.offsetBytes;
      shift += splice.inserted.length - splice.removedBytes;
      index += 1;
    }
  });
}
