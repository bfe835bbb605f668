/** Why an edit could not be located. */
// report.ts finds the reasons of a miss.

/** A place in the before-image. */
export interface MatchPosition {
  /** From 1. Lines end at LF; only in a file without any LF, at CR. */
  readonly line: number;
  /**
   * From 1, in Unicode code points, a byte order mark not counted; in a file that is neither UTF-8
   * nor edited as UTF-16, in bytes.
   */
  readonly column: number;
  /**
   * From 0, in bytes. A place in text that earlier edits of the same request put in has the offset
   * of their change.
   */
  readonly byteOffset: number;
}

/** A line that resembles the missed text. */
export interface NearestLine {
  /** From 1, in the text as the earlier edits of the same request left it. */
  readonly line: number;
  /** The line without its end, cut to 200 characters. */
  readonly text: string;
}

/**
 * A line in which the missed text differs from the lines that come nearest. Each text is that of
 * the line without its end; a long one is cut to 200 characters around the first difference, with
 * `…` where something is left off.
 */
export interface DifferingLine {
  /** From 1, as in {@link NearestLine}. */
  readonly line: number;
  /** As it stands in the file. */
  readonly there: string;
  /** As the old text has it: the first and the last line may be part of one. */
  readonly given: string;
}

/**
 * - `no-match`: the old text is not there.
 * - `ambiguous`: it is there more than once, and one place was wanted.
 * - `count-mismatch`: it is there another number of times than was expected.
 * - `invalid-encoding`: the file's encoding does not permit the edit, or cannot be known.
 * - `after-too-large`: the result would exceed the limit.
 * - `too-many-places`: more places than a record can hold.
 */
export type MatchErrorKind =
  | "no-match"
  | "ambiguous"
  | "count-mismatch"
  | "invalid-encoding"
  | "after-too-large"
  | "too-many-places";

/** What a {@link MatchError} is made of. */
export interface MatchErrorDetails {
  readonly kind: MatchErrorKind;
  readonly message: string;
  readonly editIndex: number;
  readonly count?: number;
  readonly countIsAtLeast?: boolean;
  readonly expected?: number;
  readonly positions?: readonly MatchPosition[];
  readonly reason?: string | undefined;
  readonly nearest?: readonly NearestLine[] | undefined;
  readonly differing?: readonly DifferingLine[] | undefined;
  readonly hint?: string | undefined;
  readonly afterSizeBytes?: number;
}

/** One edit of a request cannot be located, so none is done. */
export class MatchError extends Error {
  override readonly name = "MatchError";
  readonly kind: MatchErrorKind;
  /** Index of the edit in the request, from 0. */
  readonly editIndex: number;
  /** How often the old text is there; overlapping ones count unless all were to be replaced. */
  readonly count: number;
  /** Counting ended at `count`, which is over the limit of places. */
  readonly countIsAtLeast: boolean;
  readonly expected: number | undefined;
  /** The first 20 places. */
  readonly positions: readonly MatchPosition[];
  /** Why the text was missed, if a reason was found: a clause without full stop. */
  readonly reason: string | undefined;
  readonly nearest: readonly NearestLine[] | undefined;
  /** The first 3. */
  readonly differing: readonly DifferingLine[] | undefined;
  /** What the caller can do. */
  readonly hint: string | undefined;
  /** Size that the result would have, for `after-too-large`. */
  readonly afterSizeBytes: number | undefined;

  constructor(details: MatchErrorDetails) {
    super(details.message);
    this.kind = details.kind;
    this.editIndex = details.editIndex;
    this.count = details.count ?? 0;
    this.countIsAtLeast = details.countIsAtLeast ?? false;
    this.expected = details.expected;
    this.positions = details.positions ?? [];
    this.reason = details.reason;
    this.nearest = details.nearest;
    this.differing = details.differing;
    this.hint = details.hint;
    this.afterSizeBytes = details.afterSizeBytes;
  }
}
