/**
 * What the journal throws beside the port's own `OsError`. The engine turns each into its error
 * code.
 */

import { hasCode } from "@fe/native";

/** A record whose bytes are not those of a record: damaged, cut off, or never one. It is kept. */
export class RecordCorruptError extends Error {
  override readonly name = "RecordCorruptError";
  /** What is wrong with it, as half a sentence. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`The recovery record is malformed: ${reason}`, options);
    this.reason = reason;
  }
}

/** A record of a format that this version does not know. It is kept. */
export class RecordVersionError extends Error {
  override readonly name = "RecordVersionError";
  /** What is wrong with it, as half a sentence. */
  readonly reason: string;
  /** What its header says; `recordFormatVersion` is the one that is known. */
  readonly version: number;

  constructor(version: number) {
    const reason = `format version ${version} is not known to this program`;
    super(`The recovery record cannot be read: ${reason}`);
    this.reason = reason;
    this.version = version;
  }
}

/** Why an error makes a record unsafe, as half a sentence; `undefined` if it says nothing of it. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof RecordCorruptError) return `is malformed: ${error.reason}`;
  if (error instanceof RecordVersionError) return `cannot be read: ${error.reason}`;
  if (hasCode(error, "EIO")) return "cannot be read: the disk reports an error (EIO)";
  return undefined;
}

/** A record that cannot be opened safely, or not be read to its end (row B). It is kept. */
export class RecordUnsafeError extends Error {
  override readonly name = "RecordUnsafeError";
  /** Of the record's own file. */
  readonly path: string;
  /** What is wrong with it, as half a sentence. */
  readonly why: string;

  constructor(path: string, why: string, options?: ErrorOptions) {
    super(`The recovery record "${path}" ${why}`, options);
    this.path = path;
    this.why = why;
  }
}

/**
 * There is a record at the name already, so somebody works without the key lock: `busy`. Ours was
 * not published, and nothing of it is left.
 */
export class RecordExistsError extends Error {
  override readonly name = "RecordExistsError";
  /** Of the record's own file. */
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(`There is a recovery record already: "${path}"`, options);
    this.path = path;
  }
}

/** No record has this id. */
export class RecordNotFoundError extends Error {
  override readonly name = "RecordNotFoundError";
  readonly id: string;

  constructor(id: string) {
    super(`There is no recovery record with the id "${id}"`);
    this.id = id;
  }
}

/** A prefix that several records begin with. */
export class RecordIdAmbiguousError extends Error {
  override readonly name = "RecordIdAmbiguousError";
  /** What was asked for. */
  readonly id: string;
  /** Full ids that begin so. */
  readonly candidates: readonly string[];

  constructor(id: string, candidates: readonly string[]) {
    super(`The id "${id}" stands for ${candidates.length} recovery records`);
    this.id = id;
    this.candidates = candidates;
  }
}

/** A source had another length while it was read than it had said: the file is being changed. */
export class SourceChangedError extends Error {
  override readonly name = "SourceChangedError";
  readonly expectedBytes: number;

  constructor(expectedBytes: number) {
    super(`The file changed its length while it was read: ${expectedBytes} bytes were expected`);
    this.expectedBytes = expectedBytes;
  }
}

/** A version of the file is larger than a record may hold. */
export class ImageTooLargeError extends Error {
  override readonly name = "ImageTooLargeError";
  readonly which: "before" | "after";
  readonly sizeBytes: number;
  readonly limitBytes: number;

  constructor(which: "before" | "after", sizeBytes: number, limitBytes: number) {
    super(
      `The ${which}-version is too large for a recovery record: ${sizeBytes} bytes, ` +
        `the limit is ${limitBytes} bytes`,
    );
    this.which = which;
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }
}

/** More replaced places than a record may hold. */
export class TooManyPlacesError extends Error {
  override readonly name = "TooManyPlacesError";
  readonly places: number;
  readonly limit: number;

  constructor(places: number, limit: number) {
    super(`Too many replaced places for a recovery record: ${places}, the limit is ${limit}`);
    this.places = places;
    this.limit = limit;
  }
}

/**
 * The store, or a directory above it, is open to others, or not ours. Nothing in it was read or
 * written. By owner and mode; on Windows by owner and access list (seen under Wine only).
 */
export class StoreNotPrivateError extends Error {
  override readonly name = "StoreNotPrivateError";
  /** Of the directory or file that is at fault. */
  readonly path: string;
  /** What is wrong, as half a sentence. */
  readonly why: string;
  /** What a person can do about it. */
  readonly hint: string;

  constructor(path: string, why: string, hint: string, options?: ErrorOptions) {
    const isNone = why === "is not a directory";
    const problem = isNone ? "cannot be made or used" : "is not private";
    super(`The recovery store ${problem}: "${path}" ${why}`, options);
    this.path = path;
    this.why = why;
    this.hint = hint;
  }
}

/**
 * The filesystem of the store cannot make names durable, so no record would be (I1): it answered
 * so to the sync of a directory, which is the `cause`. The target was not touched.
 */
export class NamesNotDurableError extends Error {
  override readonly name = "NamesNotDurableError";

  constructor(options: ErrorOptions) {
    super("the filesystem of the recovery directory cannot make names durable", options);
  }
}

/** The user-data directory cannot be named: a bad app name, profile or path. */
export class UserDataError extends Error {
  override readonly name = "UserDataError";
  /** What a person can do about it. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** The journal was used after `close()`. */
export class JournalClosedError extends Error {
  override readonly name = "JournalClosedError";

  constructor() {
    super("The journal is closed");
  }
}

/**
 * Keeps the first error first: `second` becomes its `suppressed` (the shape of the standard
 * `SuppressedError`, which Node 20 lacks), so that no failure is dropped.
 *
 * Returns `first`, or `second` if there was no first.
 */
export function withSuppressed(first: unknown, second: unknown): unknown {
  if (first === undefined) return second;
  if (second === undefined || !(first instanceof Error)) return first;
  const earlier = (first as Error & { suppressed?: unknown }).suppressed;
  const suppressed = earlier === undefined ? second : withSuppressed(second, earlier);
  Object.defineProperty(first, "suppressed", { value: suppressed, configurable: true });
  return first;
}
