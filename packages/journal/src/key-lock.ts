/**
 * The lock file of one key: take, check again, let go. Whoever holds it is the only one that
 * publishes, judges or removes this key's record, or changes its target.
 *
 * The file is removed while it is held, so none is left behind. That is why a lock that was just
 * taken proves nothing until the name was looked at again: it may be the lock of a file that is
 * gone, while somebody else holds the new one.
 *
 * A6  A lock excludes, and is free once its holder is dead; `locksExclude` tries the first half.
 */
import { type FileIdentity, hasCode, type StoreDirectory, type StoreFile } from "@fe/native";
import { privateFileMode } from "./durable-write.ts";
import { StoreNotPrivateError, withSuppressed } from "./errors.ts";
import { legacyStem, lockName } from "./file-names.ts";
import { isSameEntry } from "./journal-directory.ts";
import type { KeyLock } from "./journal-types.ts";
import { maxLockAttempts } from "./limits.ts";
import type { Store } from "./store.ts";

/** The lock as the journal itself sees it. */
export class HeldKeyLock implements KeyLock {
  readonly key: string;
  readonly store: Store;
  /** Identity of the file that the key was made from, if records of the older form count too. */
  readonly legacyIdentity: FileIdentity | undefined;
  /** Stem of their record for that file. */
  readonly legacyStem: string | undefined;
  /** `undefined` in a store without locks. */
  readonly #file: StoreFile | undefined;
  readonly #onLetGo: (lock: HeldKeyLock) => void;
  #isHeld = true;
  #listing: readonly string[] | undefined;

  constructor(
    store: Store,
    key: string,
    file: StoreFile | undefined,
    options: {
      readonly legacyIdentity?: FileIdentity | undefined;
      readonly onLetGo?: (lock: HeldKeyLock) => void;
    } = {},
  ) {
    const { legacyIdentity } = options;
    this.legacyIdentity = legacyIdentity;
    this.legacyStem = legacyIdentity === undefined ? undefined : legacyStem(legacyIdentity);
    this.store = store;
    this.key = key;
    this.#file = file;
    this.#onLetGo = options.onLetGo ?? (() => undefined);
  }

  /** Keeps the names of the store for the one step that follows and needs them too. */
  keepListing(names: readonly string[]): void {
    this.#listing = names;
  }

  /** What `keepListing` was given, once. */
  takeListing(): readonly string[] | undefined {
    const names = this.#listing;
    this.#listing = undefined;
    return names;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** What `finishRecord` has to remove; `undefined` in a store without locks. */
  get fileAndName(): { readonly file: StoreFile; readonly name: string } | undefined {
    return this.#file === undefined ? undefined : { file: this.#file, name: lockName(this.key) };
  }

  /** Somebody else has removed and closed it, or must not remove it: it counts as let go. */
  markReleased(): void {
    this.#isHeld = false;
    this.#onLetGo(this);
  }

  async release(): Promise<void> {
    if (!this.#isHeld) return;
    this.markReleased();
    if (this.#file === undefined) return;
    let failure: unknown;
    try {
      // Before closing: once it is closed, the name may lead to somebody else's lock.
      await this.store.directory.unlink(lockName(this.key));
    } catch (error) {
      // Gone already: somebody cleared the store by hand.
      if (!hasCode(error, "ENOENT")) failure = error;
    }
    try {
      await this.#file.close();
    } catch (error) {
      failure = withSuppressed(failure, error);
    }
    if (failure !== undefined) throw failure;
  }

  /** Lets go without touching the name. */
  async close(): Promise<void> {
    if (!this.#isHeld) return;
    this.markReleased();
    await this.#file?.close();
  }
}

/**
 * Takes the lock file of `key`; `undefined` if another has it.
 *
 * Errors: `StoreNotPrivateError` if something else stands at its name; `OsError`.
 */
export async function takeLockFile(
  { directory, owner, names }: Store,
  key: string,
): Promise<StoreFile | undefined> {
  const name = lockName(key);
  const path = names.pathOf(name);
  for (let attempt = 0; attempt < maxLockAttempts; attempt++) {
    const file = await openLockFile(directory, name, path);
    try {
      if (!(await file.tryLock())) {
        await file.close();
        return undefined;
      }
      const mine = await file.entryStatus();
      if (mine.owner !== owner) {
        throw notOurs(path, `belongs to somebody else (${mine.owner})`);
      }
      const atName = await directory.entryStatus(name);
      if (atName !== undefined && isSameEntry(mine, atName)) return file;
    } catch (error) {
      await file.close();
      throw error;
    }
    // Its last holder removed it between our opening and our locking.
    await file.close();
  }
  // Others come and go faster than we can look: the key is in use.
  return undefined;
}

async function openLockFile(
  directory: StoreDirectory,
  name: string,
  path: string,
): Promise<StoreFile> {
  try {
    return await directory.openOrCreateFile(name, privateFileMode);
  } catch (error) {
    if (hasCode(error, "ELOOP")) throw notOurs(path, "is a symbolic link", error);
    if (hasCode(error, "EFTYPE")) throw notOurs(path, "is not a regular file", error);
    throw error;
  }
}

/**
 * Whether locks exclude here: the file that is locked is opened a second time, and that handle must
 * be refused the lock. Some filesystems grant every lock.
 */
export async function locksExclude(directory: StoreDirectory, key: string): Promise<boolean> {
  const second = await directory.openFile(lockName(key), "read-write");
  try {
    return !(await second.tryLock());
  } finally {
    await second.close();
  }
}

/** Whether the error of a lock call says that this filesystem has no locks. */
export function saysNoLocks(error: unknown): boolean {
  return hasCode(error, "ENOLCK", "EOPNOTSUPP", "ENOSYS");
}

function notOurs(path: string, why: string, cause?: unknown): StoreNotPrivateError {
  const hint = "Find out what put it there, and remove it";
  return new StoreNotPrivateError(path, why, hint, cause === undefined ? undefined : { cause });
}
