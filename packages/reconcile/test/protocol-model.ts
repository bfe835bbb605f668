/**
 * The protocol of one file's record as a machine of small steps, of which every order can be tried:
 * who may judge, publish and remove a record while others do the same, are killed, or somebody
 * deletes a lock file. It has no bytes and no disk: a file is two halves, each the set of the edits
 * that it holds, and what is written is there for all to see.
 *
 * Each step is one call of the system. A process that finds somebody at work starts over.
 *
 * Not here: power loss, resolutions, programs that take no locks; `docs/evidence` says where.
 */

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
  | "rename"
  | "reap"
  | "read"
  | "publish"
  | "verify"
  | "first-half"
  | "second-half"
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
  /** Edits that said `applied`. */
  applied: number;
  killsLeft: number;
  lockRemovalsLeft: number;
}

/** Steps in which a process's record must be there, and alone. */
export const critical: ReadonlySet<Step> = new Set(["verify", "first-half", "second-half", "mark"]);
const ended: ReadonlySet<Step> = new Set(["done", "asks", "dead"]);

export function hasEnded(process: Process): boolean {
  return ended.has(process.step);
}

const same = (one: readonly number[], other: readonly number[]): boolean =>
  one[0] === other[0] && one[1] === other[1];

/** Lets go of every lock, as closing all handles does. */
function letGo(state: State, me: number): void {
  for (const record of state.records) if (record.holder === me) record.holder = -1;
  state.lockHolders = state.lockHolders.map((holder) => (holder === me ? -1 : holder));
}

export function kill(state: State, me: number): void {
  letGo(state, me);
  at(state.processes, me).step = "dead";
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new RangeError(`nothing at ${index}`);
  return value;
}

/** Somebody is at work: everything is let go, and it starts over. */
function startOver(state: State, me: number, variant: Variant): void {
  const process = at(state.processes, me);
  if (variant.removesLockFile && state.lockHolders[process.lockFile] === me) {
    state.lockName = 0; // By name, as the protocol does.
  }
  letGo(state, me);
  Object.assign(process, { step: firstStep(variant), lockFile: 0, seen: -1 });
}

export function firstStep({ keyLock, readsUnderLock }: Variant): Step {
  if (!readsUnderLock) return "read-early";
  return keyLock ? "open" : "look";
}

/** Makes the process's next step. */
export function advance(state: State, me: number, variant: Variant): void {
  steps[at(state.processes, me).step]?.(state, at(state.processes, me), me, variant);
}

type Action = (state: State, process: Process, me: number, variant: Variant) => void;

const settling: Partial<Record<Step, Action>> = {
  "read-early": (state, process, _, variant) => {
    process.before = [...state.file];
    process.step = variant.keyLock ? "open" : "look";
  },
  open: (state, process) => {
    if (state.lockName === 0) state.lockName = state.lockHolders.push(-1) - 1;
    process.lockFile = state.lockName;
    process.step = "lock";
  },
  lock: (state, process, me, variant) => {
    if (state.lockHolders[process.lockFile] !== -1) {
      Object.assign(process, { step: firstStep(variant), lockFile: 0 });
      return;
    }
    state.lockHolders[process.lockFile] = me;
    process.step = variant.looksAtLockName ? "look-lock" : "look";
  },
  "look-lock": (state, process, me, variant) => {
    if (state.lockName === process.lockFile) process.step = "look";
    else startOver(state, me, { ...variant, removesLockFile: false });
  },
  look: (state, process, _, variant) => {
    // Under the key lock, what a killed process left of a removal is ended first.
    if (variant.keyLock) sweep(state);
    process.seen = state.name;
    const isFound = variant.recordLock ? "lock-record" : "judge";
    process.step = state.name !== -1 ? isFound : variant.readsUnderLock ? "read" : "publish";
  },
  "lock-record": (state, process, me, variant) => {
    const record = at(state.records, process.seen);
    if (record.holder !== -1) return startOver(state, me, variant);
    record.holder = me;
    process.step = variant.looksAtRecordName ? "look-record" : "judge";
  },
  "look-record": (state, process) => {
    if (state.name === process.seen) process.step = "judge";
    else {
      at(state.records, process.seen).holder = -1;
      process.step = "look";
    }
  },
  judge: (state, process, me, variant) => {
    const { owner, before, after, holder } = at(state.records, process.seen);
    const lives = owner >= 0 && !hasEnded(at(state.processes, owner));
    // Without the record's lock, whether the owner lives is all there is.
    if (!variant.recordLock && lives) return startOver(state, me, variant);
    if (variant.recordLock && holder !== me) throw new Error("judged without its lock");
    const isWhole = same(state.file, before) || same(state.file, after);
    if (isWhole && variant.reclaims) process.step = "rename";
    else process.step = "asks";
    if (process.step === "asks") letGo(state, me);
  },
  rename: (state, process) => {
    if (state.name === -1) process.step = "look";
    else {
      state.tombstones.push({ madeFor: process.seen, holds: state.name });
      state.name = -1;
      process.step = "reap";
    }
  },
  reap: (state, process, _, { checksTombstone }) => {
    const index = state.tombstones.findIndex(({ madeFor }) => madeFor === process.seen);
    const [tombstone] = index === -1 ? [] : state.tombstones.splice(index, 1);
    const isOther = tombstone !== undefined && tombstone.holds !== tombstone.madeFor;
    if (checksTombstone && isOther) {
      if (state.name === -1) state.name = tombstone.holds;
      else state.tombstones.push(tombstone);
    }
    process.step = "look";
  },
};

function sweep(state: State): void {
  state.tombstones = state.tombstones.filter(({ madeFor, holds }) => {
    if (holds === madeFor || holds === state.name) return false;
    if (state.name !== -1) return true;
    state.name = holds;
    return false;
  });
}

const editing: Partial<Record<Step, Action>> = {
  read: (state, process) => {
    process.before = [...state.file];
    process.step = "publish";
  },
  publish: (state, process, me, variant) => {
    if (state.name !== -1) return startOver(state, me, variant);
    const [first, second] = process.before;
    const mine = 1 << me;
    const after: [number, number] = [first | mine, second | mine];
    const holder = variant.recordLock ? me : -1;
    const record = { owner: me, before: process.before, after, isCommitted: false, holder };
    process.own = state.records.push(record) - 1;
    state.name = process.own;
    process.step = "verify";
  },
  verify: (state, process, me, variant) => {
    const { before } = at(state.records, process.own);
    const isMine = state.name === process.own;
    if (isMine && same(state.file, before)) {
      process.step = "first-half";
      return;
    }
    if (isMine) state.name = -1;
    process.own = -1;
    startOver(state, me, variant);
  },
  "first-half": (state, process) => {
    state.file[0] = at(state.records, process.own).after[0];
    process.step = "second-half";
  },
  "second-half": (state, process) => {
    state.file[1] = at(state.records, process.own).after[1];
    process.step = "mark";
  },
  mark: (state, process) => {
    at(state.records, process.own).isCommitted = true;
    process.step = "unlink";
  },
  unlink: (state, process, _, { keyLock, removesLockFile }) => {
    state.name = -1; // By name: its locks were never let go.
    process.step = keyLock && removesLockFile ? "unlink-lock" : "close";
  },
  "unlink-lock": (state, process) => {
    state.lockName = 0;
    process.step = "close";
  },
  close: (state, process, me) => {
    letGo(state, me);
    state.applied |= 1 << me;
    process.step = "done";
  },
};

const steps: Partial<Record<Step, Action>> = { ...settling, ...editing };
