/**
 * What stands in the way of an edit under one key: the order of work of the protocol, up to a
 * record that is locked, read and verified. What it means is not decided here.
 *
 *     (1) tombstones and unpublished records of this key are settled
 *     (2) the record is opened without following anything      none: nothing is in the way
 *     (3) its lock, never waiting                              refused: somebody works on it
 *     (4) does its name lead to it?                            no: from (1)
 *     (5) all of it is read and verified
 */
import { type EntryStatus, hasCode, type StoreFile } from "@fe/native";
import { reasonOf } from "./errors.ts";
import { parseStoreName, recordName } from "./file-names.ts";
import { heldBinaryRecord } from "./held-record.ts";
import { entryStatusOf } from "./journal-directory.ts";
import type { RecordFinding } from "./journal-types.ts";
import type { HeldKeyLock } from "./key-lock.ts";
import { maxLockAttempts } from "./limits.ts";
import { sweepTombstone } from "./reclaim.ts";
import { type LockedEntry, openLocked } from "./record-lock.ts";
import { readFront, readRecord, readTransactionId } from "./record-reader.ts";
import type { Store } from "./store.ts";

/** Finds the record of the lock's key; see `RecordFinding`. */
export async function findRecord(lock: HeldKeyLock): Promise<RecordFinding> {
  const { store, key } = lock;
  const name = recordName(key);
  const path = store.names.pathOf(name);
  for (let attempt = 0; attempt < maxLockAttempts; attempt++) {
    const left = await clearLeftovers(lock);
    if (left.unsafe !== undefined) return left.unsafe;
    const displaced = left.displaced.length === 0 ? {} : { displaced: left.displaced };
    if (left.isCertainlyAbsent) return { kind: "none", ...displaced };
    const entry = await openLocked(store, name);
    if (entry.kind === "moved") continue;
    return { ...(await judge(store, key, path, entry)), ...displaced };
  }
  // Somebody who takes no locks replaces the record faster than it can be opened.
  return { kind: "locked", id: key, path, metadata: undefined, phase: undefined };
}

async function judge(
  store: Store,
  id: string,
  path: string,
  entry: Exclude<LockedEntry, { kind: "moved" }>,
): Promise<RecordFinding> {
  switch (entry.kind) {
    case "absent":
      return { kind: "none" };
    case "unsafe":
      return { kind: "unsafe", id, path, why: entry.why };
    case "locked":
      return { kind: "locked", id, path, ...(await whatItSays(entry.file, entry.status)) };
    case "open":
      return readHeld(store, id, path, entry.file, entry.status);
  }
}

/** Of a record that somebody works on; it may be damaged all the same. */
async function whatItSays(
  file: StoreFile,
  status: EntryStatus,
): Promise<Pick<Extract<RecordFinding, { kind: "locked" }>, "metadata" | "phase">> {
  try {
    const { metadata, phase } = await readFront(file, status.sizeBytes);
    return { metadata, phase };
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return { metadata: undefined, phase: undefined };
  } finally {
    await file.close();
  }
}

async function readHeld(
  store: Store,
  id: string,
  path: string,
  file: StoreFile,
  status: EntryStatus,
): Promise<RecordFinding> {
  try {
    const verified = await readRecord(file, status.sizeBytes);
    return { kind: "held", record: await heldBinaryRecord(store, id, { file, status, verified }) };
  } catch (error) {
    await file.close();
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return { kind: "unsafe", id, path, why };
  }
}

interface Leftovers {
  readonly unsafe: RecordFinding | undefined;
  readonly displaced: readonly string[];
  /** The key is ours, and its record was not among the names: there is nothing to open. */
  readonly isCertainlyAbsent: boolean;
}

/** (1). In a store without locks nobody may remove what another could still be making. */
async function clearLeftovers(lock: HeldKeyLock): Promise<Leftovers> {
  const { store, key } = lock;
  const displaced: string[] = [];
  if (!store.hasLocks) return { unsafe: undefined, displaced, isCertainlyAbsent: false };
  const names = (await store.directory.list()).sort();
  lock.keepListing(names);
  let mayExist = false;
  for (const name of names) {
    const parsed = parseStoreName(name);
    if (parsed?.stem !== key) continue;
    mayExist ||= parsed.kind !== "unpublished";
    if (parsed.kind === "unpublished") {
      // Made under the key lock, which is ours now: whoever made it is gone.
      await removeLeftover(store, name);
    } else if (parsed.kind === "tombstone") {
      const status = await entryStatusOf(store.directory, recordName(key));
      const record = { name: recordName(key), status };
      const swept = await sweepTombstone(store, { ...parsed, name }, record, readTransactionId);
      if (swept.kind === "displaced") displaced.push(swept.path);
      if (swept.kind === "unsafe") {
        const path = store.names.pathOf(name);
        const unsafe = { kind: "unsafe" as const, id: key, path, why: swept.why };
        return { unsafe, displaced, isCertainlyAbsent: false };
      }
    }
  }
  return { unsafe: undefined, displaced, isCertainlyAbsent: !mayExist };
}

async function removeLeftover(store: Store, name: string): Promise<void> {
  try {
    await store.directory.unlink(name);
    store.noteRemoval();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
