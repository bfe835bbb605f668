/** The states of the model of the protocol; its steps are `protocol-model.ts`. */

/** What of the protocol is done. */
export interface Variant {
  /** A lock file per key, held from before the look to the end. */
  readonly keyLock: boolean;
  /** The lock file is removed while it is held. */
  readonly removesLockFile: boolean;
  /** After locking, the lock file's name is looked at again. */
  readonly looksAtLockName: boolean;
  /** The record's own file is locked by its owner, and by whoever judges it. */
  readonly recordLock: boolean;
  /** After locking, the record's name is looked at again. */
  readonly looksAtRecordName: boolean;
  /** A tombstone is compared with what was judged, and put back if it is another. */
  readonly checksTombstone: boolean;
  /** The before-image is read under the lock that is kept to the end. */
  readonly readsUnderLock: boolean;
  /** A dead owner's record is removed by others. */
  readonly reclaims: boolean;
  /** The file is synced before a dead owner's record is removed. */
  readonly syncsSeen: boolean;
  /** A record says so when a sync of its file failed, and is then removed by nobody. */
  readonly marksDoubt: boolean;
}

export const built: Variant = {
  keyLock: true,
  removesLockFile: true,
  looksAtLockName: true,
  recordLock: true,
  looksAtRecordName: true,
  checksTombstone: true,
  readsUnderLock: true,
  reclaims: true,
  syncsSeen: true,
  marksDoubt: true,
};

export type Step =
  | "read-early"
  | "open"
  | "lock"
  | "look-lock"
  | "look"
  | "lock-record"
  | "look-record"
  | "judge"
  | "sync-seen"
  | "doubt-seen"
  | "rename"
  | "reap"
  | "read"
  | "publish"
  | "verify"
  | "first-half"
  | "second-half"
  | "sync"
  | "doubt"
  | "mark"
  | "unlink"
  | "unlink-lock"
  | "close"
  | "done"
  | "asks"
  | "dead";

export interface Process {
  step: Step;
  /** Number of its lock file; 0 for none. */
  lockFile: number;
  /** Its own record; -1 for none. */
  own: number;
  /** The record that it judges; -1 for none. */
  seen: number;
  /** What it read of the file: the halves. */
  before: [number, number];
}

export interface ModelRecord {
  readonly owner: number;
  readonly before: [number, number];
  readonly after: [number, number];
  isCommitted: boolean;
  isDoubtful: boolean;
  /** Process that holds its lock; -1 for none. */
  holder: number;
}

export interface State {
  processes: Process[];
  records: ModelRecord[];
  /** The record at the name; -1 for none. */
  name: number;
  tombstones: { madeFor: number; holds: number }[];
  /** The lock file at its name; 0 for none. */
  lockName: number;
  /** Holder by lock file; index 0 is not used. */
  lockHolders: number[];
  file: [number, number];
  /** What a power loss would leave; `undefined` where no sync fails. */
  disk: [number, number] | undefined;
  /** Halves that the next sync writes. One that failed leaves none: the system gave them up. */
  dirty: [boolean, boolean];
  syncFailuresLeft: number;
  /** Edits that said `applied`. */
  applied: number;
  killsLeft: number;
  lockRemovalsLeft: number;
}

/** Steps in which a process's record must be there, and alone. */
export const critical: ReadonlySet<Step> = new Set([
  "verify",
  "first-half",
  "second-half",
  "sync",
  "doubt",
  "mark",
]);
const ended: ReadonlySet<Step> = new Set(["done", "asks", "dead"]);

export function hasEnded(process: Process): boolean {
  return ended.has(process.step);
}
