/** Every limit of matching, with its unit and its reason. */

/** Sizes that tests make small, so that edges of chunks fall where they want them. */
export interface LocateSizes {
  /** How much is read at once. */
  readonly chunkBytes: number;
  /** A source up to this size is read into memory once. */
  readonly bufferedBytes: number;
  /** How much of an old text the search of Node is given; the rest is compared where that hits. */
  readonly anchorBytes: number;
  /** How much is searched before other work may go on. */
  readonly sliceBytes: number;
  /**
   * An old text up to this length is compared within the window; of a longer one, so much of it.
   */
  readonly windowedBytes: number;
  /** After so many comparisons in vain the search goes on in the way that is linear at worst. */
  readonly maxFailedComparisons: number;
  /** After so many beginnings of an old text that is longer than the window, likewise. */
  readonly maxLongCandidates: number;
}

export const defaultSizes: LocateSizes = {
  // One trip to a worker thread per MiB is 1 % of the hashing of it; twice that gains nothing.
  chunkBytes: 1024 * 1024,
  bufferedBytes: 8 * 1024 * 1024,
  // Bounds the worst case of the built-in search (`aaab…` in `aaaa…`), which is the product of both
  // lengths: 0.3 s per MiB for 1000 bytes, measured with Node 20. 32 bytes are telling enough.
  anchorBytes: 32,
  sliceBytes: 128 * 1024,
  windowedBytes: 64 * 1024,
  maxFailedComparisons: 50_000,
  maxLongCandidates: 16,
};

/** Places that a result lists. */
export const maxReportedMatches = 1000;

/** Places that an error lists: enough to choose one, short enough to read. */
export const maxErrorPositions = 20;

/** More edits than this in one request are a mistake of the program that makes them. */
export const maxEdits = 10_000;

/** A text larger than this is not searched for the reason of a miss: it would take too long. */
export const maxExplainedBytes: number = 2 * 1024 * 1024;

/** Nor is a longer old text explained, or looked into a longer line. */
export const maxExplainedCharacters: number = 16 * 1024;

/** Near lines that a miss shows, and how much of each, in characters. */
export const maxNearestLines = 3;
export const maxNearestCharacters = 200;

/** Lines of a miss that are shown beside those of the file: the first ones tell what is wrong. */
export const maxDifferingLines = 3;

/** A diff that is longer is read by nobody, and would make an answer of JSON a burden. */
export const maxDiffBytes: number = 1024 * 1024;

/** How far back is looked for the beginning of a character in a file that is not UTF-8. */
export const maxLookBackBytes = 256;

/** How far back, at most, a codec is shown the line before a place. */
export const maxCodecLookBackBytes: number = 4 * 1024;
