/**
 * The protocol of one file's record as a machine of small steps, of which every order can be tried:
 * who may judge, publish and remove a record while others do the same, are killed, or somebody
 * deletes a lock file. It has no bytes: a file is two halves, each the set of the edits that it
 * holds, and what is written is there for all to see. Only where syncs may fail there is a disk
 * below it, which holds what was written there by a sync that succeeded.
 *
 * Each step is one call of the system. A process that finds somebody at work starts over.
 *
 * Not here: power loss, resolutions, programs that take no locks; `docs/evidence` says where.
 */

import {
  hasEnded,
  type ModelRecord,
  type Process,
  type State,
  type Step,
  type Variant,
} from "./protocol-state.ts";

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

const syncs: ReadonlySet<Step> = new Set(["sync", "sync-seen"]);

export function isSync(step: Step): boolean {
  return syncs.has(step);
}

/**
 * The process's sync fails, and one half was written all the same: the other is shown, and not
 * written by any later sync.
 */
export function failSync(
  state: State,
  me: number,
  { marksDoubt }: Variant,
  writtenHalf: 0 | 1,
): void {
  const process = at(state.processes, me);
  const { disk, dirty, file } = state;
  if (disk !== undefined && dirty[writtenHalf]) disk[writtenHalf] = file[writtenHalf];
  state.dirty = [false, false];
  state.syncFailuresLeft -= 1;
  if (marksDoubt) process.step = process.step === "sync" ? "doubt" : "doubt-seen";
  else ask(state, me);
}

/** Ends with the record kept. */
function ask(state: State, me: number): void {
  at(state.processes, me).step = "asks";
  letGo(state, me);
}

function syncFile(state: State): void {
  const { disk, dirty, file } = state;
  if (disk === undefined) return;
  for (const half of [0, 1] as const) if (dirty[half]) disk[half] = file[half];
  state.dirty = [false, false];
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
    if (variant.keyLock) settleTombstones(state);
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
    const { owner, before, after, holder, isDoubtful } = at(state.records, process.seen);
    const lives = owner >= 0 && !hasEnded(at(state.processes, owner));
    // Without the record's lock, whether the owner lives is all there is.
    if (!variant.recordLock && lives) return startOver(state, me, variant);
    if (variant.recordLock && holder !== me) throw new Error("judged without its lock");
    const isWhole = same(state.file, before) || same(state.file, after);
    if (!isWhole || !variant.reclaims || isDoubtful) return ask(state, me);
    process.step = state.disk !== undefined && variant.syncsSeen ? "sync-seen" : "rename";
  },
  "sync-seen": (state, process) => {
    syncFile(state);
    process.step = "rename";
  },
  "doubt-seen": (state, process, me) => {
    at(state.records, process.seen).isDoubtful = true;
    ask(state, me);
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

function settleTombstones(state: State): void {
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
    const record: ModelRecord = {
      owner: me,
      before: process.before,
      after,
      isCommitted: false,
      isDoubtful: false,
      holder,
    };
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
    state.dirty[0] = state.disk !== undefined;
    process.step = "second-half";
  },
  "second-half": (state, process) => {
    state.file[1] = at(state.records, process.own).after[1];
    state.dirty[1] = state.disk !== undefined;
    process.step = state.disk === undefined ? "mark" : "sync";
  },
  sync: (state, process) => {
    syncFile(state);
    process.step = "mark";
  },
  doubt: (state, process, me) => {
    at(state.records, process.own).isDoubtful = true;
    ask(state, me);
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
