/** What a call of the port throws: the system's own answer, with a POSIX code name. */

/**
 * A failed call of the operating system.
 *
 * `code` is a POSIX name (`ENOENT`), on every system: those of Windows are translated,
 * to `EIO` if there is no counterpart. A number of POSIX without a name
 * here is `E` and the number. Beside the standard ones `EFTYPE` says that an entry is of a kind
 * that was not asked for. What holds after it, its method says. The engine turns it into an
 * `FeError` at the step that called, with this as `cause`.
 */
export class OsError extends Error {
  override readonly name = "OsError";
  /** POSIX name of the error. */
  readonly code: string;
  /** The method of the port, or the system call, that failed. */
  readonly operation: string;
  /** The path or name that it was about, if any. */
  readonly path: string | undefined;
  /** The system's own number (errno; Windows: GetLastError), if there was one. */
  readonly nativeCode: number | undefined;

  constructor(
    code: string,
    operation: string,
    details: { path?: string; nativeCode?: number; message?: string; cause?: unknown } = {},
  ) {
    const about = details.path === undefined ? "" : ` "${details.path}"`;
    super(`${operation}${about}: ${details.message ?? code}`, { cause: details.cause });
    this.code = code;
    this.operation = operation;
    this.path = details.path;
    this.nativeCode = details.nativeCode;
  }
}

/**
 * A path whose text alone says that no file may be reached by it; the system was not asked. Windows
 * only. Code `EINVAL`.
 */
export class PathRefusedError extends OsError {
  /** What is wrong, as half a sentence: `"NUL" stands for a device`. */
  readonly reason: string;
  /** What to do instead. */
  readonly hint: string;

  constructor(operation: string, path: string, { reason, hint }: { reason: string; hint: string }) {
    super("EINVAL", operation, { path, message: `EINVAL, ${reason}` });
    this.reason = reason;
    this.hint = hint;
  }
}

/** Whether `error` is an `OsError` with one of these codes. Of anything else, `false`. */
export function hasCode(error: unknown, ...codes: string[]): error is OsError {
  return error instanceof OsError && codes.includes(error.code);
}
