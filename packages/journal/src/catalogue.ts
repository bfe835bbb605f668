/**
 * Looking at records without a lock and without changing anything: a list, one record for a person,
 * and the headers that name a path.
 */

import {
  RecordIdAmbiguousError,
  RecordNotFoundError,
  RecordUnsafeError,
  reasonOf,
} from "./errors.ts";
import { parseStoreName, type StoreName } from "./file-names.ts";
import { isSameEntry } from "./journal-directory.ts";
import type { ListedRecord, OpenRecord } from "./journal-types.ts";
import { peekLegacyPath } from "./legacy-record.ts";
import { minIdPrefixLength } from "./limits.ts";
import { formOf } from "./reclaim.ts";
import { pathInFront } from "./record-codec.ts";
import { jsonForm, type RecordForm, recordForms } from "./record-form.ts";
import { openChecked } from "./record-lock.ts";
import type { Store } from "./store.ts";

/** What a list needs of the store. */
export type ReadableStore = Pick<Store, "directory" | "owner" | "names" | "os">;

/**
 * Every record, by id. Headers only: an image that was damaged shows when the record is opened, a
 * record that was cut off shows here. A tombstone is listed if an edit would meet it as a record:
 * see `standsAsRecord`.
 */
export async function listRecords(store: ReadableStore): Promise<ListedRecord[]> {
  const listed: ListedRecord[] = [];
  for (const entry of await recordEntries(store)) {
    const record = await look(store, entry, store.names.pathOf(entry.name));
    if (record !== undefined) listed.push(record);
  }
  return listed;
}

/** A name under which a record can be had. */
export interface RecordEntry {
  readonly name: string;
  readonly stem: string;
  readonly form: RecordForm;
}

/** Records by name, and the tombstones that stand for one. */
async function recordEntries(store: ReadableStore, idPrefix = ""): Promise<RecordEntry[]> {
  const entries: RecordEntry[] = [];
  for (const name of (await store.directory.list()).sort()) {
    const parsed = parseStoreName(name);
    if (parsed === undefined || !parsed.stem.startsWith(idPrefix)) continue;
    if (parsed.kind === "record") {
      entries.push({ name, stem: parsed.stem, form: recordForms[parsed.form] });
    }
    if (parsed.kind === "tombstone") {
      const tombstone = { name, ...parsed, form: await formOf(store, name) };
      if (await standsAsRecord(store, tombstone)) entries.push(tombstone);
    }
  }
  return entries;
}

/**
 * Whether a tombstone is more than the rest of a removal: it cannot be read (row B), or holds
 * another record than it was made for. One that is a second name of the record is not.
 */
async function standsAsRecord(
  store: ReadableStore,
  { name, stem, form, madeFor }: RecordEntry & { readonly madeFor: string },
): Promise<boolean> {
  const status = await store.directory.entryStatus(name);
  const atName = await store.directory.entryStatus(form.nameOf(stem));
  if (status === undefined) return false;
  if (atName !== undefined && isSameEntry(status, atName)) return false;
  const opened = await openChecked(store, name, form.maxBytes);
  if (opened.kind !== "open") return opened.kind === "unsafe";
  try {
    return (await form.readMadeFor(opened.file, opened.status, stem)) !== madeFor;
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return true;
  } finally {
    await opened.file.close();
  }
}

/** What the header says; `undefined`: it was removed in the meantime. */
export async function look(
  store: Pick<ReadableStore, "directory" | "owner">,
  { name, stem: id, form }: RecordEntry,
  path: string,
): Promise<ListedRecord | undefined> {
  const about = { id, path, form: form.form };
  const opened = await openChecked(store, name, form.maxBytes);
  if (opened.kind === "absent") return undefined;
  if (opened.kind === "unsafe") {
    return { ...about, metadata: undefined, phase: undefined, why: opened.why };
  }
  try {
    const { metadata, phase } = await form.look(opened.file, opened.status, id);
    return { ...about, metadata, phase, why: undefined };
  } catch (error) {
    const why = reasonOf(error);
    if (why === undefined) throw error;
    return { ...about, metadata: undefined, phase: undefined, why };
  } finally {
    await opened.file.close();
  }
}

/**
 * Opens the record with this id, or the only one whose id begins so, and verifies all of it.
 *
 * Errors: `RecordNotFoundError`, `RecordIdAmbiguousError`, `RecordUnsafeError`.
 */
export async function openRecord(store: ReadableStore, id: string): Promise<OpenRecord> {
  const entry = await findById(store, id);
  return openEntry(store, entry, store.names.pathOf(entry.name));
}

/** Opens and verifies what stands at a name. Errors: as {@link openRecord}. */
export async function openEntry(
  store: Pick<ReadableStore, "directory" | "owner">,
  { name, stem, form }: RecordEntry,
  path: string,
): Promise<OpenRecord> {
  const opened = await openChecked(store, name, form.maxBytes);
  if (opened.kind === "absent") throw new RecordNotFoundError(stem);
  if (opened.kind === "unsafe") throw new RecordUnsafeError(path, opened.why);
  const { file, status } = opened;
  try {
    const { madeFor: _, ...verified } = await form.read(file, status, stem);
    return { id: stem, path, form: form.form, ...verified, close: () => file.close() };
  } catch (error) {
    await file.close();
    const why = reasonOf(error);
    throw why === undefined ? error : new RecordUnsafeError(path, why, { cause: error });
  }
}

async function findById(store: ReadableStore, id: string): Promise<RecordEntry> {
  const found = id.length < minIdPrefixLength ? [] : await recordEntries(store, id);
  // A record before a tombstone of its key: what stands at the name is what the id means.
  const [first] = found.sort((one, other) => Number(isTombstone(one)) - Number(isTombstone(other)));
  if (first === undefined) throw new RecordNotFoundError(id);
  const stems = [...new Set(found.map(({ stem }) => stem))].sort();
  if (stems.length > 1) throw new RecordIdAmbiguousError(id, stems);
  return first;
}

function isTombstone({ name, stem, form }: RecordEntry): boolean {
  return name !== form.nameOf(stem);
}

/**
 * Keys of the records, other than that of `exceptKey`, whose header names `realPath`: the file
 * there was another one when they were made. Those that cannot be read are passed over. A tombstone
 * counts if it stands for a record.
 *
 * Only records in whose front the path's own text stands are opened and verified: with a thousand
 * of other files, reading each header took 40 times as long as the edit.
 *
 * `names`: the names in the store, if they were read just now.
 */
export async function recordsNaming(
  store: ReadableStore,
  realPath: string,
  exceptKey: string,
  names?: readonly string[],
): Promise<string[]> {
  const plain: string[] = [];
  const candidates: (readonly [name: string, parsed: StoreName])[] = [];
  const parsedNames = new Map<string, StoreName>();
  for (const name of names ?? (await store.directory.list()).sort()) {
    const parsed = parseStoreName(name);
    if (parsed === undefined || parsed.stem === exceptKey) continue;
    parsedNames.set(name, parsed);
    if (parsed.kind === "record" && parsed.form === "binary") plain.push(name);
    else candidates.push([name, parsed]);
  }
  if (plain.length > 0) {
    const { bytes, withinBytes } = pathInFront(realPath);
    for (const name of await store.directory.findInHeads(plain, bytes, withinBytes)) {
      const parsed = parsedNames.get(name);
      if (parsed !== undefined) candidates.push([name, parsed]);
    }
  }
  const keys = new Set<string>();
  for (const [name, parsed] of candidates) {
    if ((await pathNamedBy(store, name, parsed)) === realPath) keys.add(parsed.stem);
  }
  return [...keys];
}

async function pathNamedBy(
  store: ReadableStore,
  name: string,
  parsed: StoreName,
): Promise<string | undefined> {
  const { stem } = parsed;
  if (parsed.kind === "unpublished") return undefined;
  const isTombstone = parsed.kind === "tombstone";
  const form = isTombstone ? await formOf(store, name) : recordForms[parsed.form];
  if (isTombstone && !(await standsAsRecord(store, { ...parsed, name, form }))) return undefined;
  if (form.form === "json") return legacyPathOf(store, name);
  const path = store.names.pathOf(name);
  return (await look(store, { name, stem, form }, path))?.metadata?.realPath;
}

/** Not verified: that would take reading both images, and who gets the key does it. */
async function legacyPathOf(store: ReadableStore, name: string): Promise<string | undefined> {
  const opened = await openChecked(store, name, jsonForm.maxBytes);
  if (opened.kind !== "open") return undefined;
  try {
    return await peekLegacyPath(opened.file, opened.status.sizeBytes);
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  } finally {
    await opened.file.close();
  }
}
