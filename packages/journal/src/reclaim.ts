/**
 * Removing a record that somebody else left, by way of a tombstone: rename, look at what was
 * renamed, remove it. Both locks are held, so only a program that takes no locks can have put
 * another record at the name in the meantime; then that one is put back, never over a newer one.
 *
 * If the process dies between, the tombstone stays, and `settleTombstone` of the next holder of the
 * key ends what was begun. A record of the older form is found under two keys, that of its file and
 * its own stem, so its tombstone may be gone in the midst of a reclaim.
 *
 * A3  A renamed file is found at one of its two names, also after a power loss.
 */
import { type EntryStatus, hasCode } from "@fe/native";
import { reasonOf, withSuppressed } from "./errors.ts";
import { tombstoneName } from "./file-names.ts";
import { isSameEntry } from "./journal-directory.ts";
import type { ReclaimReport } from "./journal-types.ts";
import { renamePatiently } from "./patient-rename.ts";
import { binaryForm, jsonForm, type RecordForm } from "./record-form.ts";
import { openChecked } from "./record-lock.ts";
import type { Store } from "./store.ts";

/** The record that was judged, and how to know it again. */
export interface JudgedRecord {
  readonly form: RecordForm;
  readonly stem: string;
  /** Goes into the tombstone's name: the transaction id; the checksum where there is none. */
  readonly madeFor: string;
  /** The record file, as it was locked. */
  readonly status: EntryStatus;
}

/**
 * Removes the record, or finds that another stands in its place.
 *
 * Errors: `OsError`; then the record is at its name, or at the tombstone if it could not be put
 * back.
 */
export async function reclaim(store: Store, judged: JudgedRecord): Promise<ReclaimReport> {
  const { directory, os } = store;
  const name = judged.form.nameOf(judged.stem);
  const tombstone = tombstoneName(judged.stem, judged.madeFor, await os.randomId());
  try {
    await renamePatiently(os, () => directory.rename(name, tombstone));
  } catch (error) {
    // Somebody who takes no locks has removed it: nothing is left to do.
    if (hasCode(error, "ENOENT")) return { kind: "reclaimed" };
    throw error;
  }
  let isJudged: boolean;
  try {
    isJudged = await holdsJudged(store, tombstone, judged);
    if (isJudged) await unlinkIfThere(store, tombstone);
  } catch (error) {
    throw await afterFailure(store, tombstone, name, error);
  }
  store.noteRemoval();
  return isJudged ? { kind: "reclaimed" } : putBack(store, tombstone, name);
}

/**
 * Whether the judged record stands at `name`. `false` also if it is gone: whoever holds another key
 * of this file may have settled it.
 */
export async function holdsJudged(
  store: Pick<Store, "directory" | "owner">,
  name: string,
  judged: JudgedRecord,
): Promise<boolean> {
  const { form, stem } = judged;
  const opened = await openChecked(store, name, form.maxBytes);
  if (opened.kind !== "open") return false;
  try {
    if (!isSameEntry(opened.status, judged.status)) return false;
    return (await form.readMadeFor(opened.file, opened.status, stem)) === judged.madeFor;
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return false;
  } finally {
    await opened.file.close();
  }
}

/**
 * Gives a tombstone the name of a record again, unless there is a newer one. Gone already counts as
 * put back: it was settled by another, and whoever asks has to look again.
 */
async function putBack(store: Store, tombstone: string, name: string): Promise<ReclaimReport> {
  try {
    await renamePatiently(store.os, () => store.directory.rename(tombstone, name));
    return { kind: "put-back" };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { kind: "put-back" };
    if (!hasCode(error, "EEXIST")) throw error;
    return { kind: "displaced", tombstonePath: store.names.pathOf(tombstone) };
  }
}

async function afterFailure(
  store: Store,
  tombstone: string,
  name: string,
  error: unknown,
): Promise<unknown> {
  try {
    await putBack(store, tombstone, name);
    return error;
  } catch (second) {
    return withSuppressed(error, second);
  }
}

/** What became of a tombstone that was found. */
export type TombstoneReport =
  | { readonly kind: "settled" }
  | { readonly kind: "displaced"; readonly path: string }
  | { readonly kind: "unsafe"; readonly why: string };

/**
 * Ends what a killed process began, under the key lock. The tombstone is removed if it is only a
 * second name of the record, or holds the record that it was made for; the target was synced before
 * it was made. Another record goes back to its name, if that is free.
 */
export async function settleTombstone(
  store: Store,
  tombstone: { readonly name: string; readonly stem: string; readonly madeFor: string },
): Promise<TombstoneReport> {
  const { directory } = store;
  const form = await formOf(store, tombstone.name);
  const name = form.nameOf(tombstone.stem);
  const status = await directory.entryStatus(tombstone.name);
  if (status === undefined) return { kind: "settled" };
  const atName = await directory.entryStatus(name);
  if (atName !== undefined && isSameEntry(status, atName))
    return removeTombstone(store, tombstone.name);
  const opened = await openChecked(store, tombstone.name, form.maxBytes);
  if (opened.kind === "absent") return { kind: "settled" };
  if (opened.kind === "unsafe") return opened;
  let found: string;
  try {
    found = await form.readMadeFor(opened.file, opened.status, tombstone.stem);
  } catch (error) {
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return { kind: "unsafe", why };
  } finally {
    await opened.file.close();
  }
  if (found === tombstone.madeFor) return removeTombstone(store, tombstone.name);
  const report = await putBack(store, tombstone.name, name);
  return report.kind === "displaced"
    ? { kind: "displaced", path: report.tombstonePath }
    : { kind: "settled" };
}

async function removeTombstone(store: Store, name: string): Promise<TombstoneReport> {
  await unlinkIfThere(store, name);
  store.noteRemoval();
  return { kind: "settled" };
}

async function unlinkIfThere(store: Store, name: string): Promise<void> {
  try {
    await store.directory.unlink(name);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** A tombstone's name does not say which form it holds; its first byte does. */
export async function formOf(
  store: Pick<Store, "directory" | "owner">,
  name: string,
): Promise<RecordForm> {
  const opened = await openChecked(store, name, jsonForm.maxBytes);
  if (opened.kind !== "open") return binaryForm;
  try {
    const first = Buffer.alloc(1);
    await opened.file.read(first, 0);
    return first.toString("latin1") === "{" ? jsonForm : binaryForm;
  } finally {
    await opened.file.close();
  }
}
