/**
 * What the journal gives and takes.
 *
 * Longer than 300 lines because it is one contract: whoever uses it reads it from top to end.
 */
import type { FileIdentity, FinishReport, OsError, PermissionIdentity } from "@fe/native";
import type { ByteSource } from "./byte-source.ts";
import type { ImageFacts, RecordMetadata, RecordPhase } from "./record.ts";
import type { Splice } from "./splice.ts";
import type { StorePlace } from "./store-place.ts";

/**
 * The right to publish, judge and remove the record of one key, and to change its target. `flock`;
 * Windows: `LockFileEx`, seen under Wine only. It is free once its process is dead. In a store
 * without locks it excludes nobody.
 */
export interface KeyLock {
  readonly key: string;
  /**
   * Removes the lock file while holding it, then lets go. A second call is harmless. Error: that of
   * the removal; it is let go of all the same.
   */
  release(): Promise<void>;
}

/** What `tryLockKey` may be told beside the key. */
export interface KeyLockOptions {
  /**
   * Identity that the key was made from. Given, a record of the older form for this file counts as
   * well: `findRecord` looks for it, and `prepare` once more after it published its own.
   */
  readonly legacyIdentity?: FileIdentity | undefined;
}

/** What becomes a record: the target as it was identified, and the change that is wanted. */
export interface RecordDraft {
  /** Absolute, without links; at most 4,096 bytes. Bytes that are not UTF-8: U+DC80..U+DCFF. */
  readonly realPath: string;
  readonly target: FileIdentity;
  /** Of the directory that holds the last component. */
  readonly parent: FileIdentity;
  readonly permission: PermissionIdentity;
  /** Read once, from beginning to end. */
  readonly before: ByteSource;
  /**
   * If `before` stands in memory: its sum, of these very bytes, and what the splices make of them,
   * with its sum. Then nothing is hashed or put together twice. Without `before.bytes` it must be
   * left out.
   */
  readonly inMemory?: ImagesInMemory | undefined;
  /** Kept, not copied: neither they nor their bytes may change before the transaction has ended. */
  readonly splices: readonly Splice[];
}

/** What the caller knows of two images that stand in memory. */
export interface ImagesInMemory {
  /** SHA-256 of the before-image, in hex. */
  readonly beforeSha256: string;
  /**
   * All of the after-image, which may not change before the transaction has ended, and its SHA-256.
   */
  readonly after: { readonly bytes: Uint8Array; readonly sha256: string };
}

/**
 * The durable record of a transaction that this process runs. It ends by exactly one of `finish`,
 * `withdraw`, `keep` and `drop`, each of which lets go of record lock and key lock, whatever
 * happens; after one of them the last three do nothing more, and `finish` throws: it could report
 * nothing that is true.
 */
export interface LiveRecord {
  /** The key, 64 hex digits. */
  readonly id: string;
  /** Of the record's own file, absolute. */
  readonly path: string;
  /** UUID. */
  readonly transactionId: string;
  /** The images as they stand in the record. Not to be used after the end of the transaction. */
  readonly before: ByteSource;
  readonly after: ByteSource;
  readonly beforeImage: ImageFacts;
  readonly afterImage: ImageFacts;
  /** Whether the record's name still leads to the record file that we hold (step 10). */
  isAtItsName(): Promise<boolean>;
  /** Steps 13 and 14. Throws nothing but for a second call. */
  finish(): Promise<FinishReport>;
  /**
   * Marks the record: a sync of the target failed in this boot. Not synced: after a power loss the
   * mark would mean nothing. Error: `OsError`; then the record says `prepared`, as before.
   */
  markDoubtful(): Promise<void>;
  /** Removes the record: the target is as if nothing had been tried. Throws the first error. */
  withdraw(): Promise<void>;
  /** Leaves the record where it is, for a person or the next edit. */
  keep(): Promise<void>;
  /** The name is not ours any more: removes nothing by name, only closes. */
  drop(): Promise<void>;
}

/** What stands at the name of a key's record. */
export type RecordFinding = (
  | { readonly kind: "none" }
  /** Row B: not opened, or not read to its end. `why` is half a sentence: "is a symbolic link". */
  | {
      readonly kind: "unsafe";
      readonly id: string;
      readonly path: string;
      readonly why: string;
    }
  /** Somebody holds the lock of the record. What it says of itself, if that can be read. */
  | {
      readonly kind: "locked";
      readonly id: string;
      readonly path: string;
      readonly metadata: RecordMetadata | undefined;
      readonly phase: RecordPhase | undefined;
    }
  | { readonly kind: "held"; readonly record: HeldRecord }
) & {
  /** Tombstones that hold another record and could not be put back, since there is a newer one. */
  readonly displaced?: readonly string[];
};

/**
 * A record whose lock is ours, read to its end and verified. It ends by `reclaim`, `keep`,
 * `moveToSaved` or `release`; after one of them `release` does nothing more, and all others throw.
 */
export interface HeldRecord {
  readonly id: string;
  readonly path: string;
  readonly form: "binary" | "json";
  readonly metadata: RecordMetadata;
  readonly phase: RecordPhase;
  /** Of a `doubtful` one: the boot in which the sync failed, if the system told its id. */
  readonly doubtBootId: string | undefined;
  /**
   * The owner held locks on this host in this very file, and now they are ours: it is gone.
   * `false`: the locks prove nothing, and what the record says of its owner has to be judged.
   */
  readonly ownerIsProvenByLocks: boolean;
  readonly before: ByteSource;
  readonly after: ByteSource;
  /**
   * As {@link LiveRecord.markDoubtful}, of a sync that was tried for this record. `false`: it is of
   * the older form, which has no place for it.
   */
  markDoubtful(): Promise<boolean>;
  /** Removes the record by way of a tombstone. */
  reclaim(): Promise<ReclaimReport>;
  /**
   * Puts the record into `saved/`, durably, in place of removing it: a person has decided, and may
   * want the other version yet. `belongs`: the path of the saved bytes that it is to go with in the
   * end, or a note to save with it. Where there is no room, not even for a name, it is reclaimed.
   * Error: `OsError`, if it is not known where the record is.
   */
  keep(belongs: string | SavedNote): Promise<KeepReport>;
  /** Puts a record aside that was not decided about, durably, and returns where it is. */
  moveToSaved(): Promise<string>;
  /** Lets go of the record lock; the record stays. */
  release(): Promise<void>;
}

/** What became of a removal by way of a tombstone. */
export type ReclaimReport =
  | { readonly kind: "reclaimed" }
  /** Another record was there instead, and is there again. */
  | { readonly kind: "put-back" }
  /** Another record was there instead, and a newer one has taken the name: it stands here. */
  | { readonly kind: "displaced"; readonly tombstonePath: string };

/** What became of a record that was to be kept. */
export type KeepReport =
  /** `unsettled`: the move may not outlast a power loss, or the limits could not be held. */
  | { readonly kind: "kept"; readonly path: string; readonly unsettled?: Error }
  /** It could not be moved, and is at its name as before. */
  | { readonly kind: "stands"; readonly error: Error }
  /** It is gone; `noRoom` says that it was removed for want of room. */
  | { readonly kind: "reclaimed"; readonly noRoom?: OsError }
  | Exclude<ReclaimReport, { readonly kind: "reclaimed" }>;

/** A record in a list. `metadata` and `phase` are missing exactly if `why` says what is wrong. */
export interface ListedRecord {
  /** Stem of its file, 64 hex digits. */
  readonly id: string;
  /** Of its own file, absolute. */
  readonly path: string;
  /** `json`: of the older form. */
  readonly form: "binary" | "json";
  readonly metadata: RecordMetadata | undefined;
  readonly phase: RecordPhase | undefined;
  /** Half a sentence: `is malformed: …`, `may not be read`. */
  readonly why: string | undefined;
}

/** A record opened for looking only: no lock is held, so it may be removed at any time. */
export interface OpenRecord {
  readonly id: string;
  readonly path: string;
  readonly form: "binary" | "json";
  readonly metadata: RecordMetadata;
  readonly phase: RecordPhase;
  readonly before: ByteSource;
  readonly after: ByteSource;
  /** A second call is harmless. */
  close(): Promise<void>;
}

/** What has to be known of saved bytes to take a resolution back. */
export interface SavedNote {
  readonly realPath: string;
  readonly target: FileIdentity;
  /** SHA-256 (hex) of what the resolution wrote in place of the saved bytes. */
  readonly writtenSha256: string;
}

/** Bytes that a resolution replaced. */
export interface SavedBytes {
  /** Id of the record that was resolved. */
  readonly id: string;
  /** Of the file that holds them, absolute. */
  readonly path: string;
  readonly sizeBytes: number;
  /** When they were saved, ms since 1970; from the name of the file. */
  readonly savedMs: number;
  /** `undefined`: there is none, or it cannot be read; then the resolution is not taken back. */
  readonly note: SavedNote | undefined;
}

/** A record in `saved/`: decided about, or put aside. */
export interface KeptRecord extends ListedRecord {
  /** When it was put there, ms since 1970; from the name of the file. */
  readonly savedMs: number;
  /** That of the bytes it belongs to, or its own; `undefined`: as in {@link SavedBytes}. */
  readonly note: SavedNote | undefined;
}

/** Options of `openJournal`. */
export interface JournalOptions {
  /** Absolute path, the profile included; see `resolveUserDataDirectory`. */
  readonly userDataDirectory: string;
  /** Goes into every record. At most 64 characters. */
  readonly engineVersion: string;
}

/**
 * An open journal. Beside the errors that a method names: `StoreNotPrivateError`, if the store or
 * what is above it is open to others; `OsError` as the port gives it; `NamesNotDurableError` of
 * what makes or moves a record or saved bytes; `JournalClosedError` after `close`, but of `close`
 * and `syncIfNeeded`, which do nothing then. A `KeyLock` that was let go is an `Error`.
 *
 * Private means owner, mode 0700 and 0600 on Linux and macOS; on Windows the access list, as
 * `judgePrivacy` of `@fe/native` says.
 */
export interface Journal {
  /** `<user data>/edit-recovery`. No target may be below it. */
  readonly directoryPath: string;

  /**
   * Whether locks exclude in this store; `undefined` until the first `tryLockKey`, or until a
   * `peekRecord` or `list`, where the filesystem alone, or the error of a lock, tells that they do
   * not. In such a store no lock is taken, and every key lock "succeeds": only `prepare` excludes.
   */
  readonly storeHasLocks: boolean | undefined;

  /**
   * Takes the lock of a key; never waits. `undefined`: another has it. Makes the store if there is
   * none. For a record of the older form that is known by its id only, the id serves as the key;
   * pass the identity of the file at its path as well, so that the two can be compared.
   *
   * Error: `RangeError` for a key that is none.
   */
  tryLockKey(key: string, options?: KeyLockOptions): Promise<KeyLock | undefined>;

  /**
   * What stands at the name of the lock's record, after leftovers of killed processes were settled.
   * A record that is `held` was read to its end and verified, and has to be ended. What cannot be
   * read is a finding (`unsafe`), not an error.
   */
  findRecord(lock: KeyLock): Promise<RecordFinding>;

  /**
   * The same without the key lock, for a look: nothing is made, settled or removed, and what it
   * found may be past at once. A record that is `held` was asked for its lock, and is open without
   * it: it has to be let go of by `release`, and by nothing else. Only while it is asked, some
   * microseconds, others find it `locked`.
   */
  peekRecord(key: string, options?: KeyLockOptions): Promise<RecordFinding>;

  /** Keys of other records whose header names this path. Takes no lock, changes nothing. */
  recordsNaming(realPath: string, exceptKey: string): Promise<readonly string[]>;

  /**
   * Step 9: makes the record durable, by content and by name. From then on the key lock belongs to
   * the live record; releasing it as well is harmless.
   *
   * Errors: `RecordExistsError`; `ImageTooLargeError` and `TooManyPlacesError`, before anything is
   * read or made; `SourceChangedError`; `RangeError` for a draft that is wrong in itself;
   * `OsError`. After any of them nothing is left of the record, and the key lock is still the
   * caller's.
   */
  prepare(lock: KeyLock, draft: RecordDraft): Promise<LiveRecord>;

  /**
   * Every record, by id; also a tombstone that an edit would meet as one: it cannot be read, or
   * holds another record than it was made for. Takes no lock, changes nothing.
   */
  list(): Promise<readonly ListedRecord[]>;

  /**
   * Opens a record for a look: by its id or the only one that begins so, 8 digits at least. Takes
   * no lock, changes nothing.
   *
   * Errors: `RecordNotFoundError`, `RecordIdAmbiguousError`, `RecordUnsafeError`.
   */
  open(id: string): Promise<OpenRecord>;

  /**
   * Saves bytes that a resolution is about to replace. Durable when it returns. What a killed
   * process left half saved is removed, and so are the oldest: 20 files, 1 GiB and 30 days are
   * kept. Returns where they are, and their SHA-256 in hex.
   *
   * `spared`: path of what is to be put in their place, of a kept record or saved; it stays, with
   * what belongs to it, since nothing is replaced yet.
   *
   * Errors: `RangeError` for an id that is none, `RecordNotFoundError` if there is no store,
   * `SourceChangedError`. After a failure no bytes stand there, nor their note.
   */
  saveBytes(
    recordId: string,
    source: ByteSource,
    note?: SavedNote,
    spared?: string,
  ): Promise<{ readonly path: string; readonly sha256: string }>;

  /**
   * Removes what `saveBytes` returned, with its note, because nothing was replaced after all. What
   * is gone already, or is no such path, is left. Error: `OsError`.
   */
  dropSaved(path: string): Promise<void>;

  /**
   * Where the first edit would make the store, and whether it can; asked while there is none. Makes
   * nothing. Error: `OsError`, where the way up cannot be looked at.
   */
  storePlace(): Promise<StorePlace>;

  /** What is saved, newest first. */
  listSaved(): Promise<readonly SavedBytes[]>;

  /** Opens what `listSaved` named; `undefined` if it is gone. */
  openSaved(
    path: string,
  ): Promise<{ readonly bytes: ByteSource; close(): Promise<void> } | undefined>;

  /** Records that are kept in `saved/`, newest first. Takes no lock, changes nothing. */
  listKept(): Promise<readonly KeptRecord[]>;

  /**
   * Opens what `listKept` named, for a look.
   *
   * Errors: `RecordNotFoundError`, `RecordUnsafeError`.
   */
  openKept(path: string): Promise<OpenRecord>;

  /**
   * Puts an unsafe record (row B) aside: its name is moved into `saved/`, it is never opened for
   * more than the judgement that it still is unsafe. Returns where it is.
   *
   * Errors: `RecordNotFoundError` if there is none, or it is not unsafe any more.
   */
  moveUnsafeToSaved(lock: KeyLock, id: string): Promise<string>;

  /**
   * The one late sync of the directory (step 14), if a name was removed since the last. It is tried
   * once; `close` tells a failure again.
   */
  syncIfNeeded(): Promise<void>;

  /**
   * Syncs if needed and closes. No lock and no record may be held. A second call is harmless.
   *
   * Errors: that of a sync, also of an earlier one; everything is closed all the same.
   */
  close(): Promise<void>;
}
