/** A recovery record as the public API shows it. */
import type { FileIdentity } from "@fe/native";

/** A version of a record's file, as `recovery.show` and `recovery.resolve` name it. */
export type Version = "before" | "after" | "current";

/** Enough of a record's id to tell it from others in a message; `record.id` has all of it. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

/** Hash and length of one version. */
export interface VersionReport {
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

/**
 * A recovery record, for people and programs. One whose `path` is there names its file, and all
 * that belongs to it.
 */
export type RecordReport = NamedRecord | UnnamedRecord;

/** What is known of every record. */
export interface RecordBase {
  /** Stem of the record's file, 64 hex digits; any unique prefix of 8 or more serves for it. */
  readonly id: string;
  /** The record's own file. */
  readonly recordPath: string;
  /**
   * `doubtful`: a sync of the file failed. Until the machine is started again, what the file shows
   * may not be on its disk, and an edit of it needs a person. `unreadable`: no version of it can
   * be had.
   */
  readonly phase: "prepared" | "committed" | "doubtful" | "unreadable";
  /** Why it is here, or why it cannot be read. */
  readonly why: string;
  /** What `recovery.resolve` can keep; absent where that has not been looked at. */
  readonly choices?: readonly Version[];
}

/** A record that says which file it is of. */
export interface NamedRecord extends RecordBase {
  /** Real path of the target at the time. */
  readonly path: string;
  readonly identity: FileIdentity;
  readonly before: VersionReport;
  readonly after: VersionReport;
  /** Not every record of the older form has one. */
  readonly transactionId?: string;
  /** `why` of the owner: what shows whether it still runs. */
  readonly owner?: {
    readonly pid: number;
    readonly state: "alive" | "gone" | "unknown";
    readonly why: string;
  };
  /** ms since 1970. */
  readonly createdMs?: number;
  /**
   * What stands at `path` now, in a list alone: the version before or after the edit, neither, no
   * file (`nothing`) or another file. `not-looked-at`: its owner may be at work, it cannot be read,
   * or it is larger than what a list reads (64 MiB together).
   */
  readonly holds?: "before" | "after" | "neither" | "nothing" | "another-file" | "not-looked-at";
}

/** A record of which it is not known, or with `roots` not told, which file it is of. */
export interface UnnamedRecord extends RecordBase {
  readonly path?: undefined;
  readonly identity?: undefined;
  readonly before?: undefined;
  readonly after?: undefined;
  readonly transactionId?: undefined;
  readonly owner?: undefined;
  readonly createdMs?: undefined;
  readonly holds?: undefined;
}

/** A record that cannot be read. */
export interface UnreadableRecord extends UnnamedRecord {
  readonly phase: "unreadable";
}

/** A record as `recovery.list` tells of it: what is not `unreadable` has a `path`. */
export type ListedReport = NamedRecord | UnreadableRecord;

/** What was resolved and can be taken back by `recovery.undo`. */
export interface ResolvedReport {
  /** Id of the record; any unique prefix of 8 or more serves for it. */
  readonly id: string;
  /** Real path of the file at the time. */
  readonly path: string;
  /** When it was resolved, or the last undo of it was done; ms since 1970. */
  readonly savedMs: number;
  /** What the file held until then; absent if nothing was overwritten. */
  readonly savedPath?: string;
  readonly savedBytes?: number;
  /** The record, if it is kept: `recovery.show` gives its versions, and `undo` puts one back. */
  readonly record?: ListedReport;
}
