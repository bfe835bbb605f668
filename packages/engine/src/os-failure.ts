/**
 * Turns what a lower layer threw into the error of the public API, once, at the step that called.
 * The effect is `none` here; a step that may have changed the target says so itself.
 */
import {
  ImageTooLargeError,
  JournalClosedError,
  NamesNotDurableError,
  RecordCorruptError,
  RecordIdAmbiguousError,
  RecordNotFoundError,
  RecordUnsafeError,
  RecordVersionError,
  SourceChangedError,
  StoreNotPrivateError,
  TooManyPlacesError,
  UserDataError,
} from "@fe/journal";
import { hasCode, NativeUnavailableError, OsError, PathRefusedError } from "@fe/native";
import { FeError, type FeErrorCode } from "./errors.ts";

/** What was being done, for the message: `Cannot <action> "<path>": …`. */
export interface FailedAction {
  readonly action: string;
  readonly path?: string;
  /**
   * Of the store: a record in it is `needed`, or it is `possible` that it holds one of this file.
   * Another store is no way out then: there the file would be edited as if nothing had happened.
   */
  readonly record?: "needed" | "possible";
}

interface Reading {
  readonly code: FeErrorCode;
  readonly state: string;
  readonly hint?: string;
}

const notFound: Reading = {
  code: "FE_NOT_FOUND",
  state: "there is no such file",
  hint: "Check the spelling, and from where a relative path is taken",
};
const denied: Reading = {
  code: "FE_PERMISSION_DENIED",
  state: "the system does not permit it",
  hint: "Check owner and mode of the file and of the directories above it",
};
const noSpace: Reading = {
  code: "FE_NO_SPACE",
  state: "there is no space left",
  hint: "Free space (or quota) on the filesystem named here and try again",
};

/** Where nothing is known but the system's own word. */
const unexpectedHint = "Look at the system's log and at the disk; the same may fail again";

/** What a system error means for a person who edits a file. Anything else is `FE_IO`. */
const readings: Readonly<Record<string, Reading>> = {
  ENOENT: notFound,
  ENOTDIR: { ...notFound, state: "a part of the path is not a directory" },
  ELOOP: { ...notFound, state: "its links lead in a circle", hint: "Name the file itself" },
  ENAMETOOLONG: {
    code: "FE_INVALID_REQUEST",
    state: "the path is too long",
    hint: "Name the file from a directory nearer to it",
  },
  EINVAL: {
    code: "FE_INVALID_REQUEST",
    state: "the path is not valid",
    hint: "A path is not empty and holds no NUL",
  },
  EACCES: denied,
  EPERM: {
    ...denied,
    state: "the system does not permit it (it may be immutable or append-only)",
    hint: "Check its attributes (Linux: lsattr), owner and mode, and those of what is above it",
  },
  EROFS: { ...denied, state: "its filesystem is read-only", hint: "Mount it writable" },
  EISDIR: { code: "FE_NOT_REGULAR", state: "it is a directory", hint: "Name a file" },
  EFTYPE: { code: "FE_NOT_REGULAR", state: "it is not a regular file", hint: "Name a file" },
  ENOSPC: noSpace,
  EDQUOT: { ...noSpace, state: "the quota is used up" },
  // Where an open object can be opened again by its name only: macOS, and Windows under Wine.
  ESTALE: {
    code: "FE_TARGET_REPLACED",
    state: "its name leads to another file by now",
    hint: "Read the file again and repeat the edit",
  },
  EFBIG: {
    code: "FE_FILE_TOO_LARGE",
    state: "the system refuses a file of that size",
    hint: "Look at the limit of the filesystem and of this user (ulimit -f)",
  },
};

/**
 * The `FeError` for anything thrown by journal or native. An `FeError` is passed through, and so is
 * anything else: a broken invariant is not for a caller to handle, so it stays what it is.
 */
export function fromOs(error: unknown, { action, path }: FailedAction): Error {
  if (error instanceof FeError) return error;
  const at = path === undefined ? {} : { path };
  const what = path === undefined ? `Cannot ${action}` : `Cannot ${action} "${path}"`;
  if (error instanceof OsError) {
    const known = error instanceof PathRefusedError ? readRefusal(error) : readings[error.code];
    const state = known?.state ?? `the system answered ${error.code} to ${error.operation}`;
    return new FeError(known?.code ?? "FE_IO", `${what}: ${state}`, {
      ...at,
      operation: error.operation,
      cause: error,
      hint: known?.hint ?? unexpectedHint,
    });
  }
  const lower = readJournalError(error);
  if (lower !== undefined && error instanceof Error) {
    const { code, hint } = lower;
    // In the middle of a sentence here; on its own it is one.
    const why = error.message.charAt(0).toLowerCase() + error.message.slice(1);
    return new FeError(code, `${what}: ${why}`, {
      ...at,
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

const otherStore = {
  none: ", or choose another user-data directory (`userDataDirectory`)",
  possible: "; with another user-data directory a record that stands here would be passed over",
  needed: "",
};
const noStoreSpace: Reading = {
  ...noSpace,
  hint: "Free space (or quota) on the filesystem of the store",
};
const storeDenied: Reading = {
  ...denied,
  hint: "Check owner and mode of it and of the directories above it",
};

/**
 * What a system error means that the recovery store gave, with the beginning of the hint. Anything
 * else is `FE_IO`.
 */
const storeReadings: Readonly<Record<string, Reading>> = {
  ENOSPC: noStoreSpace,
  EDQUOT: { ...noStoreSpace, state: "the quota is used up" },
  EACCES: storeDenied,
  EPERM: storeDenied,
  EROFS: {
    ...storeDenied,
    state: "its filesystem is read-only",
    hint: "Mount it writable",
  },
  ENOENT: {
    code: "FE_IO",
    state: "it cannot be made where it should be",
    hint: "Make the directories above it",
  },
  ENOTDIR: {
    code: "FE_IO",
    state: "something above it is not a directory",
    hint: "Look at what stands there",
  },
};

/** Whether only the store can have answered so, to a call that reads a target and writes here. */
export function isOfStore(error: unknown): boolean {
  return hasCode(error, "ENOSPC", "EDQUOT", "EROFS");
}

/** As {@link fromOs}, of a call to the store at `store`, so that nobody looks at the wrong disk. */
export function fromStore(error: unknown, failed: FailedAction, store: string): Error {
  if (!(error instanceof OsError) || error instanceof PathRefusedError)
    return fromOs(error, failed);
  const { action, path } = failed;
  const known = storeReadings[error.code];
  const state = known?.state ?? `the system answered ${error.code} to ${error.operation}`;
  const what = path === undefined ? `Cannot ${action}` : `Cannot ${action} "${path}"`;
  return new FeError(
    known?.code ?? "FE_IO",
    `${what}: the recovery store "${store}" cannot be used: ${state}`,
    {
      ...(path === undefined ? {} : { path }),
      operation: error.operation,
      cause: error,
      hint: `${known?.hint ?? unexpectedHint}${otherStore[failed.record ?? "none"]}`,
    },
  );
}

function readRefusal({ reason, hint }: PathRefusedError): Reading {
  return { code: "FE_INVALID_REQUEST", state: reason, hint };
}

function readJournalError(error: unknown): { code: FeErrorCode; hint?: string } | undefined {
  if (error instanceof StoreNotPrivateError) {
    return { code: "FE_STORE_NOT_PRIVATE", hint: error.hint };
  }
  if (error instanceof NamesNotDurableError) {
    return {
      code: "FE_UNSUPPORTED",
      hint: "Choose a user-data directory on another filesystem; `examine` says what it can do",
    };
  }
  if (error instanceof ImageTooLargeError) {
    return { code: "FE_FILE_TOO_LARGE", hint: "A larger file cannot be edited" };
  }
  if (error instanceof TooManyPlacesError) {
    return { code: "FE_UNSUPPORTED", hint: "Replace fewer places at once" };
  }
  if (error instanceof JournalClosedError)
    return { code: "FE_CLOSED", hint: "Open another engine" };
  if (error instanceof SourceChangedError) {
    return { code: "FE_CONTENT_CHANGED", hint: "Read the file again and repeat the edit" };
  }
  if (isUnreadableRecord(error)) {
    return { code: "FE_RECORD_UNSAFE", hint: "The record is kept as it is; look at it yourself" };
  }
  if (error instanceof RecordNotFoundError) {
    return { code: "FE_NOT_FOUND", hint: "`recovery.list` shows the records there are" };
  }
  if (error instanceof RecordIdAmbiguousError) {
    return { code: "FE_INVALID_REQUEST", hint: "Give more characters of the id" };
  }
  if (error instanceof UserDataError) return { code: "FE_INVALID_REQUEST", hint: error.hint };
  if (error instanceof NativeUnavailableError) {
    return {
      code: "FE_NATIVE_UNAVAILABLE",
      hint: "Install the package anew, build the addon, or keep @fe/native out of a bundle",
    };
  }
  return undefined;
}

function isUnreadableRecord(error: unknown): boolean {
  return (
    error instanceof RecordCorruptError ||
    error instanceof RecordUnsafeError ||
    error instanceof RecordVersionError
  );
}
