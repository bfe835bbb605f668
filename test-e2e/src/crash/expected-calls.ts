/**
 * Which calls change files, in which order, when nothing fails. A sync that is missing can lose
 * data at the next power loss, and one too many is paid for at every edit; so a change of the
 * protocol changes this list, and nothing else does. Made on ext4; docs/protocol.md says why each
 * is there. Two `flock lock`: the second is of another handle, and its refusal shows that locks do
 * exclude.
 */
import type { Call } from "./calls.ts";

/** Step 9: the record is written, locked, synced, named, and its name is synced. */
const prepare: readonly Call[] = [
  "openat unnamed in store",
  "fchmod record",
  "pwrite record",
  "flock record",
  "fsync record",
  "linkat record",
  "fsync store",
];

/** Steps 13 and 14, and the sync of the directory when the engine closes. */
const finish: readonly Call[] = [
  "pwrite record",
  "unlinkat record",
  "unlinkat lock",
  // Let go of: it is closed only when the answer is given.
  "flock record",
  "fsync store",
];

/**
 * The store of a user who had none. Another process may have made a directory and not synced it, so
 * all names on the way are synced before the first use; `saved` shows that this was done.
 */
const makeStore: readonly Call[] = [
  ...["mkdirat store", "chmod store", "fsync data"],
  ...["fsync data", "fsync above data"],
  ...["mkdirat saved", "chmod saved"],
];

const takeNewLock: readonly Call[] = ["openat lock", "fchmod lock", "flock lock", "flock lock"];
/** The lock file that a killed process left, and the orphan's own lock. */
const takeOrphan: readonly Call[] = ["flock lock", "flock lock", "flock record"];
const reclaim: readonly Call[] = ["renameat2 tombstone", "unlinkat tombstone"];

/** Room for what the file gains, then its bytes. */
const mutateLonger: readonly Call[] = ["fallocate target", "pwrite target", "fsync target"];
/** Bytes first, length last. */
const mutateShorter: readonly Call[] = ["pwrite target", "ftruncate target", "fsync target"];

const saveOne = (kind: "note" | "bytes"): readonly Call[] => [
  "openat unnamed in saved",
  "fchmod saved file",
  // Whoever clears old ones away leaves alone what is locked.
  "flock saved file",
  "pwrite saved file",
  "fsync saved file",
  `linkat saved ${kind}`,
  "fsync saved",
];

/** By the name of the scenario. */
export const expectedCalls: Readonly<Record<string, readonly Call[]>> = {
  edit: [...makeStore, ...takeNewLock, ...prepare, ...mutateLonger, ...finish],
  shorten: [...takeNewLock, ...prepare, ...mutateShorter, ...finish],
  // Row G: the target of the orphan is synced before its record goes (I6).
  reconcile: [...takeOrphan, "fsync target", ...reclaim, ...prepare, ...mutateLonger, ...finish],
  // What the file holds is saved and durable before a byte of it changes; the orphan goes last.
  resolve: [
    ...takeOrphan,
    "fsync store",
    ...saveOne("note"),
    ...saveOne("bytes"),
    ...["pwrite target", "fsync target"],
    ...["renameat2 saved record", "fsync saved", "fsync store"],
    "unlinkat lock",
  ],
};
