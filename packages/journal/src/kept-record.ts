/**
 * Records that a person has decided about: put into `saved/` instead of removed, so that a version
 * that was not chosen can still be had. They are bounded as everything there is, and go together
 * with the bytes of the same resolution.
 *
 * It takes no room but that of a name: the record is moved, not copied. Where there is no room for
 * that either, it is removed, since a full disk must not stop a person's decision.
 *
 * A3  A moved record is found at one of its two names, also after a power loss; at its old one it
 *     is judged again.
 */
import { hasCode, OsError, type StoreDirectory } from "@fe/native";
import { look, openEntry, type RecordEntry } from "./catalogue.ts";
import { NamesNotDurableError, RecordNotFoundError, StoreNotPrivateError } from "./errors.ts";
import { parseSavedName, savedDirectoryName } from "./file-names.ts";
import { isSameEntry } from "./journal-directory.ts";
import type { KeepReport, KeptRecord, OpenRecord, SavedNote } from "./journal-types.ts";
import { renamePatiently } from "./patient-rename.ts";
import { holdsJudged, type JudgedRecord, reclaim } from "./reclaim.ts";
import { recordForms } from "./record-form.ts";
import { dropNote, readNote, saveNote, settleMove } from "./saved-bytes.ts";
import type { Store } from "./store.ts";

/**
 * Puts the judged record into `saved/`; see `HeldRecord.keep`.
 *
 * Errors: `OsError`, if it is not known where the record is.
 */
export async function keepAside(
  store: Store,
  judged: JudgedRecord,
  belongs: string | SavedNote,
): Promise<KeepReport> {
  const name = judged.form.nameOf(judged.stem);
  let directory: StoreDirectory | undefined;
  let group: string | undefined;
  let target: string;
  try {
    group = await groupFor(store, judged.stem, belongs);
    // Where something was saved just now, it is there, and its name is durable.
    const there = await store.names.findSaved(store.directory);
    const found = there ?? (await store.names.findOrMakeSaved(store.directory));
    directory = found;
    target = `${group}.${judged.form.form === "json" ? "json" : "fer"}`;
    await renamePatiently(store.os, () => store.directory.moveTo(name, found, target));
  } catch (error) {
    if (directory !== undefined) await dropOwnNote(directory, group, belongs);
    await directory?.close();
    return notMoved(store, judged, error);
  }
  try {
    if (!(await holdsJudged({ ...store, directory }, target, judged))) {
      await dropOwnNote(directory, group, belongs);
      return await putBack(store, directory, target, name);
    }
    const path = store.names.pathOf(savedDirectoryName, target);
    try {
      await settleMove(store, directory, target);
      return { kind: "kept", path };
    } catch (error) {
      if (!isOfStore(error)) throw error;
      return { kind: "kept", path, unsettled: error };
    }
  } finally {
    await directory.close();
  }
}

/** The note that was made for a record which is not there now. */
async function dropOwnNote(
  directory: StoreDirectory,
  group: string | undefined,
  belongs: string | SavedNote,
): Promise<void> {
  if (typeof belongs !== "string" && group !== undefined) await dropNote(directory, group);
}

/** What saved bytes and a record have in common in their names; a note is saved under a new one. */
async function groupFor(store: Store, id: string, belongs: string | SavedNote): Promise<string> {
  if (typeof belongs === "string") {
    const beside = parseSavedName(store.os.paths.nameOf(belongs));
    if (beside === undefined) throw new RangeError(`Not a path in "saved": "${belongs}"`);
    return beside.group;
  }
  return saveNote(store, id, belongs);
}

/** Only for want of room a record is removed that could not be moved: else it is left for later. */
async function notMoved(store: Store, judged: JudgedRecord, error: unknown): Promise<KeepReport> {
  const there = await store.directory.entryStatus(judged.form.nameOf(judged.stem));
  if (there === undefined || !isSameEntry(there, judged.status)) {
    // Somebody who takes no locks has removed it, or put another there: nothing is left to keep.
    if (hasCode(error, "ENOENT")) return { kind: "reclaimed" };
    throw error;
  }
  if (isNoRoom(error)) {
    const report = await reclaim(store, judged);
    return report.kind === "reclaimed" ? { kind: "reclaimed", noRoom: error } : report;
  }
  if (!isOfStore(error)) throw error;
  return { kind: "stands", error };
}

function isNoRoom(error: unknown): error is OsError {
  return hasCode(error, "ENOSPC", "EDQUOT");
}

/** A failure of the store, and no fault of ours. */
function isOfStore(error: unknown): error is Error {
  const kinds = [OsError, NamesNotDurableError, StoreNotPrivateError];
  return kinds.some((kind) => error instanceof kind);
}

/** Another program's record, which nobody has decided about: to its name again, if that is free. */
async function putBack(
  store: Store,
  directory: StoreDirectory,
  target: string,
  name: string,
): Promise<KeepReport> {
  try {
    await renamePatiently(store.os, () => directory.moveTo(target, store.directory, name));
    store.noteRemoval();
    return { kind: "put-back" };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { kind: "put-back" };
    if (!hasCode(error, "EEXIST")) throw error;
    return { kind: "displaced", tombstonePath: store.names.pathOf(savedDirectoryName, target) };
  }
}

/** The records in `saved/`, newest first. Headers only, as in a list. */
export async function listKept(store: Store): Promise<KeptRecord[]> {
  const directory = await store.names.findSaved(store.directory);
  if (directory === undefined) return [];
  try {
    const kept: KeptRecord[] = [];
    for (const name of (await directory.list()).sort()) {
      const entry = entryOf(name);
      if (entry === undefined) continue;
      const path = store.names.pathOf(savedDirectoryName, name);
      const record = await look({ directory, owner: store.owner }, entry, path);
      if (record === undefined) continue;
      const { group, savedMs } = entry;
      kept.push({ ...record, savedMs, note: await readNote(store, directory, `${group}.note`) });
    }
    return kept.sort((one, other) => other.savedMs - one.savedMs);
  } finally {
    await directory.close();
  }
}

/**
 * Opens what `listKept` named, and verifies all of it.
 *
 * Errors: `RecordNotFoundError`, `RecordUnsafeError`.
 */
export async function openKept(store: Store, path: string): Promise<OpenRecord> {
  const name = store.os.paths.nameOf(path);
  const entry = path === store.names.pathOf(savedDirectoryName, name) ? entryOf(name) : undefined;
  const directory = entry && (await store.names.findSaved(store.directory));
  if (entry === undefined || directory === undefined) throw new RecordNotFoundError(name);
  try {
    return await openEntry({ directory, owner: store.owner }, entry, path);
  } finally {
    await directory.close();
  }
}

function entryOf(name: string): (RecordEntry & KeptName) | undefined {
  const parsed = parseSavedName(name);
  if (parsed?.ending !== "fer" && parsed?.ending !== "json") return undefined;
  const form = recordForms[parsed.ending === "fer" ? "binary" : "json"];
  return { name, stem: parsed.id, form, group: parsed.group, savedMs: parsed.savedMs };
}

interface KeptName {
  readonly group: string;
  readonly savedMs: number;
}
