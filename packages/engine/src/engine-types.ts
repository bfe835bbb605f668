/** The public face of an open engine. */
// engine.ts ties together what stands behind it.
import type { Examination } from "./examine/examine.ts";
import type { IdentityReport } from "./examine/identify.ts";
import type {
  EditOptions,
  EditRequest,
  PreviewOptions,
  ResolveOptions,
  UndoOptions,
} from "./options.ts";
import type { ListedReport, ResolvedReport, Version } from "./record-report.ts";
import type { EditResult, ResolveResult, ShownVersion, UndoResult } from "./result.ts";

/** Recovery records: reads change nothing; only `resolve` does, and only at a person's word. */
export interface Recovery {
  /** Absolute path of the directory with the records; it is made by the first edit. */
  readonly storePath: string;
  /**
   * Every record whose target lies below the roots, in order of time; none, if there is no store.
   * Takes no lock. Errors: `FE_STORE_NOT_PRIVATE`, `FE_IO`.
   */
  list(): Promise<readonly ListedReport[]>;
  /** What was resolved and is kept for `undo`, in order of time; otherwise as `list`. */
  listResolved(): Promise<readonly ResolvedReport[]>;
  /**
   * One version's bytes; the caller closes it. `id`: a record's id or a unique prefix of 8 or more;
   * if none stands, of the one that was resolved last, while it is kept.
   * Errors: `FE_INVALID_REQUEST` (no id, or more than one begins so), `FE_NOT_FOUND`,
   * `FE_RECORD_UNSAFE` (it cannot be read, or names no file), `FE_NOT_REGULAR`,
   * `FE_PERMISSION_DENIED`.
   */
  show(id: string, version: Version): Promise<ShownVersion>;
  /**
   * Carries a person's choice out and puts the record aside; what the file held is saved first.
   * `undo` brings it back, or another version. It keeps nobody out, and never waits. Errors:
   * `FE_INVALID_REQUEST`, `FE_NOT_FOUND`, `FE_POLICY_DENIED` (`authorize`), `FE_BUSY` (its edit is
   * still at work), `FE_CONTENT_CHANGED` (not `expectSha256`), `FE_TARGET_REPLACED`,
   * `FE_RECORD_UNSAFE` (the file is another one by now, or the record cannot be read: only `keep:
   * "current"` is possible), `FE_PERMISSION_DENIED`, `FE_NO_SPACE`, `FE_SYNC_FAILED`, `FE_IO`, all
   * with effect `none`; `FE_OUTCOME_UNKNOWN`, with `unknown`: the record is kept.
   */
  resolve(id: string, options: ResolveOptions): Promise<ResolveResult>;
  /**
   * Takes the resolution of record `id` back, by an edit of the whole file, or puts version `keep`
   * of that record there. Done twice, it takes itself back. Errors: `FE_NOT_FOUND` (nothing is
   * saved, or not any more: 20, 1 GiB and 30 days), `FE_CONTENT_CHANGED` (the file does not hold
   * what was written), `FE_TARGET_REPLACED`, and those of an edit; it asks `authorize` after
   * reading.
   */
  undo(id: string, options?: UndoOptions): Promise<UndoResult>;
}

/**
 * An open engine. A failure is an `FeError`; docs/errors.md says what each code means. Any method
 * answers `FE_CLOSED` after `close`, and `FE_IO` to what nobody expects of a system. Tested on
 * Linux; on macOS never run, on Windows under Wine only (docs/platforms.md).
 */
export interface Engine extends AsyncDisposable {
  /**
   * Replaces exact text in a file, in place: same inode, with a durable record of both versions
   * before the first byte changes. Rejects with `FeError`; its `code` alone says whether the file
   * may have changed (only `FE_OUTCOME_UNKNOWN` may have).
   */
  edit(request: EditRequest, options?: EditOptions): Promise<EditResult>;
  /**
   * What `edit` would do: the same answer with `status: "unchanged"` and `dryRun`, or the same
   * error; so `FE_RECOVERY_REQUIRED` where a record stands in the edit's way. Of an edit that is at
   * work the answer warns, and does not wait for it. Changes nothing and keeps no lock (a record
   * that stands there is asked for its own), so another program may change the file before an edit
   * does; `expectedSha256` of that one notices.
   */
  preview(request: EditRequest, options?: PreviewOptions): Promise<EditResult>;
  readonly recovery: Recovery;
  /**
   * What a file is, exactly, and who may do what with it. Reads only, and not its content;
   * `authorize` is not asked. Errors: `FE_INVALID_REQUEST`, `FE_NOT_FOUND`, `FE_OUTSIDE_ROOT`,
   * `FE_LINK_REFUSED`, `FE_POLICY_DENIED`, `FE_PERMISSION_DENIED`; macOS, a FIFO: `FE_NOT_REGULAR`.
   */
  identify(path: string): Promise<IdentityReport>;
  /**
   * What this system, the recovery store, and the filesystem of a file can do, with advice. Makes
   * nothing that stays. Errors: as {@link Engine.identify}, if a file is named.
   */
  examine(path?: string): Promise<Examination>;
  /**
   * The directories that targets must lie below: real paths, as they were found when the engine was
   * opened; nothing that becomes of a link later moves them. `undefined`: no limit.
   */
  readonly roots: readonly string[] | undefined;
  /**
   * Waits for running edits and lets go of everything. Twice is harmless. A hook (`authorize`,
   * `beforeCommit`) that gives no answer within 5 s is waited for no longer: the call that asked it
   * ends with `FE_CLOSED`, and nothing was changed. Errors: `FE_IO`, if the
   * removal of a record could not be made durable: after a power loss it may ask a question again;
   * the edits themselves are done.
   */
  close(): Promise<void>;
}
