/**
 * What stands in the way of an edit under one key: the order of work of the protocol, up to a
 * record that is locked, read and verified. What it means is not decided here.
 *
 *     (1) tombstones and unpublished records of this key, and a move that was cut, are settled
 *     (2) the record is opened without following anything      none: nothing is in the way
 *     (3) its lock, never waiting                              refused: somebody works on it
 *     (4) does its name lead to it?                            no: from (1)
 *     (5) all of it is read and verified
 *
 * A record of the older form for the same file counts as well; it has its turn after our own.
 */
import { type EntryStatus, type FileIdentity, hasCode, type StoreFile } from "@fe/native";
import { isPutAside } from "./cut-move.ts";
import { reasonOf } from "./errors.ts";
import { legacyStem, parseStoreName } from "./file-names.ts";
import { heldRecord } from "./held-record.ts";
import type { RecordFinding } from "./journal-types.ts";
import type { HeldKeyLock } from "./key-lock.ts";
import { maxLockAttempts } from "./limits.ts";
import { settleTombstone } from "./reclaim.ts";
import { binaryForm, jsonForm, type RecordForm } from "./record-form.ts";
import { type LockedEntry, openAsked, openLocked } from "./record-lock.ts";
import type { Store } from "./store.ts";

/** A name at which a record of this key may stand. */
interface Place {
  readonly form: RecordForm;
  readonly stem: string;
  readonly path: string;
  /** Of the file at hand, where the stem was made from it. */
  readonly identity: FileIdentity | undefined;
}

/** Finds the record of the lock's key; see `RecordFinding`. */
export async function findRecord(lock: HeldKeyLock): Promise<RecordFinding> {
  const { store, key } = lock;
  const places = placesOf(lock);
  for (let attempt = 0; attempt < maxLockAttempts; attempt++) {
    const left = await clearLeftovers(lock, new Set(places.map(({ stem }) => stem)));
    if (left.unsafe !== undefined) return left.unsafe;
    const displaced = left.displaced.length === 0 ? {} : { displaced: left.displaced };
    const finding = await firstOf(store, places, left.stems);
    if (finding !== "moved") return { ...finding, ...displaced };
  }
  return moving(store, key);
}

/**
 * What stands at the name of a key's record, without the lock of the key: nothing is settled, and
 * leftovers count for nothing. The lock of the record is asked for, and not kept.
 */
export async function peekRecord(
  store: Store,
  key: string,
  legacyIdentity: FileIdentity | undefined,
): Promise<RecordFinding> {
  const stem = legacyIdentity === undefined ? undefined : legacyStem(legacyIdentity);
  const places = placesOf({ store, key, legacyIdentity, legacyStem: stem });
  for (let attempt = 0; attempt < maxLockAttempts; attempt++) {
    const finding = await firstOf(store, places, undefined, openAsked);
    if (finding !== "moved") return finding;
  }
  return moving(store, key);
}

/** Somebody who takes no locks replaces the record faster than it can be opened. */
function moving(store: Store, key: string): RecordFinding {
  const path = store.names.pathOf(binaryForm.nameOf(key));
  return { kind: "locked", id: key, path, metadata: undefined, phase: undefined };
}

/**
 * Our own form first. The older form under the key itself: the lock was taken for such a record, by
 * the stem that a list gave.
 */
function placesOf(
  lock: Pick<HeldKeyLock, "store" | "key" | "legacyIdentity" | "legacyStem">,
): Place[] {
  const { store, key, legacyIdentity, legacyStem: stem } = lock;
  const place = (form: RecordForm, stem: string, identity?: FileIdentity): Place => {
    return { form, stem, path: store.names.pathOf(form.nameOf(stem)), identity };
  };
  const places = [place(binaryForm, key)];
  if (stem !== key) places.push(place(jsonForm, key));
  if (stem !== undefined) places.push(place(jsonForm, stem, legacyIdentity));
  return places;
}

/** `stems`: those of which there is a name; `undefined` if that is not known. */
async function firstOf(
  store: Store,
  places: readonly Place[],
  stems: ReadonlySet<string> | undefined,
  open: typeof openLocked = openLocked,
): Promise<RecordFinding | "moved"> {
  for (const place of places) {
    // The key is ours, so what was not there a moment ago is not there now, and opening it to be
    // told so costs more than all the rest.
    if (stems !== undefined && !stems.has(place.stem)) continue;
    const entry = await open(store, place.form.nameOf(place.stem), place.form.maxBytes);
    if (entry.kind === "moved") return "moved";
    const finding = await judge(store, place, entry);
    if (finding.kind !== "none") return finding;
  }
  return { kind: "none" };
}

async function judge(
  store: Store,
  place: Place,
  entry: Exclude<LockedEntry, { kind: "moved" }>,
): Promise<RecordFinding> {
  const { stem: id, path } = place;
  switch (entry.kind) {
    case "absent":
      return { kind: "none" };
    case "unsafe": {
      const isAside = store.hasLocks && (await isPutAside(store, place.form.nameOf(id), id));
      return isAside ? { kind: "none" } : { kind: "unsafe", id, path, why: entry.why };
    }
    case "locked":
      return { kind: "locked", id, path, ...(await whatItSays(place, entry.file, entry.status)) };
    case "open":
      return readHeld(store, place, entry.file, entry.status);
  }
}

/** Of a record that somebody works on; it may be damaged all the same. */
async function whatItSays(
  { form, stem }: Place,
  file: StoreFile,
  status: EntryStatus,
): Promise<Pick<Extract<RecordFinding, { kind: "locked" }>, "metadata" | "phase">> {
  try {
    const { metadata, phase } = await form.look(file, status, stem);
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
  { form, stem, path, identity }: Place,
  file: StoreFile,
  status: EntryStatus,
): Promise<RecordFinding> {
  try {
    const verified = await form.read(file, status, stem, identity);
    const record = await heldRecord(store, form, stem, { file, status, verified });
    return { kind: "held", record };
  } catch (error) {
    await file.close();
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return { kind: "unsafe", id: stem, path, why };
  }
}

interface Leftovers {
  readonly unsafe: RecordFinding | undefined;
  readonly displaced: readonly string[];
  /** Stems of which there is a record, or was a tombstone; `undefined` if nobody has looked. */
  readonly stems: ReadonlySet<string> | undefined;
}

/** (1). In a store without locks nobody may remove what another could still be making. */
async function clearLeftovers(lock: HeldKeyLock, ours: ReadonlySet<string>): Promise<Leftovers> {
  const { store, key } = lock;
  const displaced: string[] = [];
  if (!store.hasLocks) return { unsafe: undefined, displaced, stems: undefined };
  const names = (await store.directory.list()).sort();
  lock.keepListing(names);
  const stems = new Set<string>();
  for (const name of names) {
    const parsed = parseStoreName(name);
    if (parsed === undefined || !ours.has(parsed.stem)) continue;
    if (parsed.kind === "unpublished") {
      // Made under the key lock, which is ours now: whoever made it is gone.
      if (parsed.stem === key) await removeLeftover(store, name);
      continue;
    }
    if (parsed.kind === "record") {
      if (await isPutAside(store, name, parsed.stem)) await removeLeftover(store, name);
      else stems.add(parsed.stem);
      continue;
    }
    stems.add(parsed.stem);
    const settled = await settleTombstone(store, { ...parsed, name });
    if (settled.kind === "displaced") displaced.push(settled.path);
    if (settled.kind === "unsafe") {
      const path = store.names.pathOf(name);
      const unsafe = { kind: "unsafe" as const, id: parsed.stem, path, why: settled.why };
      return { unsafe, displaced, stems };
    }
  }
  return { unsafe: undefined, displaced, stems };
}

async function removeLeftover(store: Store, name: string): Promise<void> {
  try {
    await store.directory.unlink(name);
    store.noteRemoval();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
