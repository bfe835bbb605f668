/**
 * A recovery record as the program sees it. Its bytes: docs/protocol.md, section 3.
 *
 * R1  A record is published complete and durable, or not at all; then nothing of it changes but its
 *     phase block.
 * R2  Its two images differ.
 * R3  `after` is `before` with the record's splices, byte for byte.
 * R4  A phase block that fails its own checksum means `prepared`: it tore while it was written, and
 *     then a power loss has emptied the cache that `doubtful` warns of. One whose checksum is right
 *     and whose phase is not known makes the record unsafe.
 */
import type { FileIdentity, PermissionIdentity, ProcessIdentity } from "@fe/native";

/**
 * Where a record stands. `committed`: the target was verified and durable; only removal is left.
 * `doubtful`: a sync of the target failed, so until the machine is started again nothing that is
 * read from the target proves what its disk holds.
 */
export type RecordPhase = "prepared" | "committed" | "doubtful";

/** What the phase block says. */
export interface RecordMark {
  readonly phase: RecordPhase;
  /** In which boot the sync failed, of a `doubtful` record; absent where the system has no id. */
  readonly doubtBootId?: string | undefined;
}

/** Length and SHA-256 (hex) of one version of the file. */
export interface ImageFacts {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/**
 * What a record says of itself. One of the older form says less: its `engineVersion` is empty, its
 * `transactionId` may be, `parent` and `permission` mean nothing, `target` has only `device` and
 * `file` (its `volume` is the device, or that of the file whose key was locked).
 */
export interface RecordMetadata {
  readonly engineVersion: string;
  /** UUID. Part of the header checksum, so that no two records are alike. */
  readonly transactionId: string;
  /** Wall clock, ms since 1970; for people. */
  readonly createdMs: number;
  /** Bytes that are not UTF-8 stand as U+DC80..U+DCFF. */
  readonly realPath: string;
  readonly target: FileIdentity;
  readonly parent: FileIdentity;
  readonly permission: PermissionIdentity;
  readonly owner: ProcessIdentity;
  /**
   * Whether the owner holds key lock and record lock: the proof that it is gone once they are free.
   * `flock` on Windows too, where it is `LockFileEx`.
   */
  readonly ownerLocks: "flock" | "none";
  /** The record file itself: a copy, or a restored backup, is another one and has no lock. */
  readonly recordFile: { readonly device: bigint; readonly file: bigint };
  readonly before: ImageFacts;
  readonly after: ImageFacts;
}
