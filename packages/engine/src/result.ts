/** What the public API answers. */
import type { FileIdentity } from "@fe/native";
import type { MatchPosition } from "./matching/match-error.ts";
import type { UnifiedDiff } from "./matching/unified-diff.ts";
import type { RecordReport, Version, VersionReport } from "./record-report.ts";

/**
 * How lines end in the file before the edit; `not-examined`: no text had a line break, or none was
 * to be translated, and the file is large. With `lineEndings: "match-file"` and `lf`, `crlf` or
 * `cr`, the new text was written so; in every other case with the line breaks that it had.
 */
export type LineEndings = "lf" | "crlf" | "cr" | "mixed" | "none" | "not-examined";

/** An orphaned record that step 5 removed on the way to an empty place for a new one. */
export interface RecoveredRecord {
  readonly recordId: string;
  /** Why it could go: which version the file held. */
  readonly decision: string;
}

/** What an edit, or a preview of one, did. Every failure is an `FeError` instead. */
export interface EditResult {
  /** `unchanged`: the replacement leaves the bytes as they are, or this was a preview. */
  readonly status: "applied" | "unchanged";
  /** The target, as the caller named it. */
  readonly path: string;
  /** Where it really is: absolute, without links. */
  readonly realPath: string;
  readonly identity: FileIdentity;
  /** Number of replaced places. */
  readonly replacements: number;
  /** Where they were in the text before, the first 1,000. */
  readonly matches: readonly MatchPosition[];
  readonly matchesTruncated: boolean;
  /** SHA-256, hex. */
  readonly beforeSha256: string;
  readonly afterSha256: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /**
   * `kernel`: no other process could open the file during the mutation (Linux), or not for writing
   * (Windows). It says nothing of a rename over the file. Never on macOS. `cooperative`: only edits
   * of this profile kept off.
   */
  readonly exclusion: "kernel" | "cooperative";
  /** Why it is `cooperative`; absent where nothing was written. */
  readonly exclusionReason?: string;
  /**
   * `synced`: record, its name, and the target were synced before this answer: `fsync(2)`; macOS:
   * `F_FULLFSYNC`; Windows: `FlushFileBuffers`, of which no source says that it makes names
   * durable. It is as good as what the disk says (A1, A2 of docs/protocol.md). `none`: nothing was
   * written.
   */
  readonly durability: "synced" | "none";
  readonly lineEndings: LineEndings;
  /** What changes, if `diff` was asked for. */
  readonly diff?: UnifiedDiff;
  /**
   * What the kernel took from the file at the write and how it ended, a sentence each: set-id bits
   * are put back, file capabilities (Linux) are not.
   */
  readonly metadataChanges: readonly string[];
  /** An orphaned record of an earlier edit that this one settled. */
  readonly recovered?: RecoveredRecord;
  readonly dryRun: boolean;
  /** What a caller should know and need not act on. */
  readonly warnings: readonly string[];
}

/** Bytes of one version. The caller closes it. */
export interface ShownVersion {
  readonly record: RecordReport;
  readonly version: Version;
  /** Of `current`, as it was when it was opened: another program may change the file meanwhile. */
  readonly sizeBytes: number;
  /**
   * The bytes from the beginning, in chunks of 1 MiB at most, each a copy that is the caller's. All
   * of them fewer than `sizeBytes`, if the file got shorter. Errors: `FE_IO`; `FE_CLOSED` after
   * `close`, if more than was read ahead is asked for.
   */
  chunks(): AsyncGenerator<Uint8Array>;
  /** A second call is harmless. */
  close(): Promise<void>;
}

/** What `recovery.resolve` did. */
export interface ResolveResult {
  /** `unchanged`: the file already held what was chosen, or `current` was. */
  readonly status: "applied" | "unchanged";
  readonly record: RecordReport;
  /** `given`: the `content` that it was called with. */
  readonly kept: Version | "given";
  /** Real path of the target. */
  readonly path: string | undefined;
  /** The bytes that were in the file before, saved; absent where nothing was overwritten. */
  readonly savedPath?: string;
  /** Where the record is now, with the versions that were not chosen; absent if it is not kept. */
  readonly movedRecordTo?: string;
  /** It could not be moved, so that the next edit may meet it; a warning says why. */
  readonly recordStands?: true;
  /** Bytes in the file before and now; absent where the file was not read. */
  readonly before?: VersionReport;
  readonly after?: VersionReport;
  readonly warnings: readonly string[];
}

/** What `recovery.undo` did: an edit of the whole file. */
export interface UndoResult extends EditResult {
  /** Id of the record whose resolution was taken back. */
  readonly recordId: string;
  /**
   * What the file held until now, saved, so that the same `undo` takes this back again. Absent if
   * nothing was replaced (`status` is `unchanged`).
   */
  readonly savedPath?: string;
}
