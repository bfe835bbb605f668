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
import { minIdPrefixLength } from "./limits.ts";
import { openChecked } from "./record-lock.ts";
import { readFront, readRecord } from "./record-reader.ts";
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
    if (parsed?.kind !== "record" || parsed.form !== "binary") continue;
    const record = await look(store, parsed.stem, name);
    if (record !== undefined) listed.push(record);
  }
  return listed;
}

/** `undefined`: it was removed in the meantime. */
async function look(
  store: ReadableStore,
  id: string,
  name: string,
): Promise<ListedRecord | undefined> {
  const about = { id, path: store.names.pathOf(name), form: "binary" as const };
  const opened = await openChecked(store, name);
  if (opened.kind === "absent") return undefined;
  if (opened.kind === "unsafe") {
    return { ...about, metadata: undefined, phase: undefined, why: opened.why };
  }
  try {
    const { metadata, phase } = await readFront(opened.file, opened.status.sizeBytes);
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
  const { stem, name } = await findById(store, id);
  const path = store.names.pathOf(name);
  const opened = await openChecked(store, name);
  if (opened.kind === "absent") throw new RecordNotFoundError(id);
  if (opened.kind === "unsafe") throw new RecordUnsafeError(path, opened.why);
  const { file, status } = opened;
  try {
    const verified = await readRecord(file, status.sizeBytes);
    return { id: stem, path, form: "binary", ...verified, close: () => file.close() };
  } catch (error) {
    await file.close();
    const why = reasonOf(error);
    throw why === undefined ? error : new RecordUnsafeError(path, why, { cause: error });
  }
}

async function findById(
  store: ReadableStore,
  id: string,
): Promise<{ readonly stem: string; readonly name: string }> {
  const found: { stem: string; name: string }[] = [];
  if (id.length >= minIdPrefixLength) {
    for (const name of await store.directory.list()) {
      const parsed = parseStoreName(name);
      if (parsed?.kind !== "record" || parsed.form !== "binary") continue;
      if (parsed.stem.startsWith(id)) found.push({ stem: parsed.stem, name });
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
    if (parsed?.kind !== "record" || parsed.form !== "binary" || parsed.stem === exceptKey) {
      continue;
    }
    const listed = await look(store, parsed.stem, name);
    if (listed?.metadata?.realPath === realPath) keys.push(parsed.stem);
  }
  return keys;
}
