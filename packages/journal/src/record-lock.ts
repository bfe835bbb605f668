/**
 * A record is opened without following anything, checked, locked, and looked at once more by name:
 * only then is what it says of any worth. Judging it is the caller's business.
 */
import { type EntryStatus, hasCode, type StoreFile } from "@fe/native";
import { isSameEntry } from "./journal-directory.ts";
import { type Store, whyUnsafe } from "./store.ts";

/** What opening a name of the store may come to. */
export type OpenedEntry =
  | { readonly kind: "absent" }
  | { readonly kind: "unsafe"; readonly why: string }
  | { readonly kind: "open"; readonly file: StoreFile; readonly status: EntryStatus };

/** Opens what should be a record, for reading, and checks that it is one of ours, and private. */
export async function openChecked(
  store: Pick<Store, "directory" | "owner">,
  name: string,
  maxBytes: number,
): Promise<OpenedEntry> {
  let file: StoreFile;
  try {
    file = await store.directory.openFile(name, "read");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { kind: "absent" };
    if (hasCode(error, "ELOOP")) return { kind: "unsafe", why: "is a symbolic link" };
    if (hasCode(error, "EFTYPE")) return { kind: "unsafe", why: "is not a regular file" };
    if (hasCode(error, "EACCES", "EPERM")) return { kind: "unsafe", why: "may not be read" };
    throw error;
  }
  try {
    const status = await file.entryStatus();
    const why = whyUnsafe(status, store.owner, maxBytes);
    if (why === undefined) return { kind: "open", file, status };
    await file.close();
    return { kind: "unsafe", why };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What taking the lock of a record may come to. */
export type LockedEntry =
  | OpenedEntry
  /** Somebody else holds it. The file is open for a look, and for the caller to close. */
  | { readonly kind: "locked"; readonly file: StoreFile; readonly status: EntryStatus }
  /** By the time the lock was ours the name led elsewhere. */
  | { readonly kind: "moved" };

/** Opens, checks and locks the record at `name`; without a lock in a store that has none. */
export async function openLocked(
  store: Store,
  name: string,
  maxBytes: number,
): Promise<LockedEntry> {
  const opened = await openChecked(store, name, maxBytes);
  if (opened.kind !== "open") return opened;
  const { file, status } = opened;
  try {
    if (store.hasLocks && !(await file.tryLock())) return { kind: "locked", file, status };
    const atName = await store.directory.entryStatus(name);
    if (atName !== undefined && isSameEntry(status, atName)) return opened;
    await file.close();
    return { kind: "moved" };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The same for a look: the lock is asked for, and given back before anything is read, so that
 * nobody finds the record locked for as long as that takes.
 */
export async function openAsked(
  store: Store,
  name: string,
  maxBytes: number,
): Promise<LockedEntry> {
  const locked = await openLocked(store, name, maxBytes);
  if (locked.kind !== "open" || !store.hasLocks) return locked;
  await locked.file.close();
  const opened = await openChecked(store, name, maxBytes);
  if (opened.kind !== "open" || isSameEntry(locked.status, opened.status)) return opened;
  await opened.file.close();
  return { kind: "moved" };
}
