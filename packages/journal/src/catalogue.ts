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
import { parseStoreName } from "./file-names.ts";
import type { ListedRecord, OpenRecord } from "./journal-types.ts";
import { peekLegacyPath } from "./legacy-record.ts";
import { minIdPrefixLength } from "./limits.ts";
import { binaryForm, jsonForm, type RecordForm, recordForms } from "./record-form.ts";
import { openChecked } from "./record-lock.ts";
import type { Store } from "./store.ts";

/** What a list needs of the store. */
export type ReadableStore = Pick<Store, "directory" | "owner" | "names" | "os">;

/**
 * Every record, by id. Headers only: an image that was damaged shows when the record is opened, a
 * record that was cut off shows here.
 */
export async function listRecords(store: ReadableStore): Promise<ListedRecord[]> {
  const listed: ListedRecord[] = [];
  for (const name of (await store.directory.list()).sort()) {
    const parsed = parseStoreName(name);
    if (parsed?.kind !== "record") continue;
    const record = await look(store, recordForms[parsed.form], parsed.stem);
    if (record !== undefined) listed.push(record);
  }
  return listed;
}

/** `undefined`: it was removed in the meantime. */
async function look(
  store: ReadableStore,
  form: RecordForm,
  id: string,
): Promise<ListedRecord | undefined> {
  const name = form.nameOf(id);
  const about = { id, path: store.names.pathOf(name), form: form.form };
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
  const { stem, form } = await findById(store, id);
  const name = form.nameOf(stem);
  const path = store.names.pathOf(name);
  const opened = await openChecked(store, name, form.maxBytes);
  if (opened.kind === "absent") throw new RecordNotFoundError(id);
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

async function findById(
  store: ReadableStore,
  id: string,
): Promise<{ readonly stem: string; readonly form: RecordForm }> {
  const found: { stem: string; form: RecordForm }[] = [];
  if (id.length >= minIdPrefixLength) {
    for (const name of await store.directory.list()) {
      const parsed = parseStoreName(name);
      if (parsed?.kind !== "record" || !parsed.stem.startsWith(id)) continue;
      found.push({ stem: parsed.stem, form: recordForms[parsed.form] });
    }
  }
  const [first] = found;
  if (first === undefined) throw new RecordNotFoundError(id);
  if (found.length > 1) throw new RecordIdAmbiguousError(id, found.map(({ stem }) => stem).sort());
  return first;
}

/**
 * Keys of the records, other than that of `exceptKey`, whose header names `realPath`: the file
 * there was another one when they were made. Those that cannot be read are passed over.
 *
 * `names`: the names in the store, if they were read just now.
 */
export async function recordsNaming(
  store: ReadableStore,
  realPath: string,
  exceptKey: string,
  names?: readonly string[],
): Promise<string[]> {
  const keys: string[] = [];
  for (const name of names ?? (await store.directory.list()).sort()) {
    const parsed = parseStoreName(name);
    if (parsed?.kind !== "record" || parsed.stem === exceptKey) continue;
    if (parsed.form === "json") {
      if ((await legacyPathOf(store, parsed.stem)) === realPath) keys.push(parsed.stem);
      continue;
    }
    const listed = await look(store, binaryForm, parsed.stem);
    if (listed?.metadata?.realPath === realPath) keys.push(parsed.stem);
  }
  return keys;
}

/** Not verified: that would take reading both images, and who gets the key does it. */
async function legacyPathOf(store: ReadableStore, stem: string): Promise<string | undefined> {
  const opened = await openChecked(store, jsonForm.nameOf(stem), jsonForm.maxBytes);
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
