/**
 * The folder: found, made, and checked on every use to be private to its owner, since it holds the
 * bytes of the user's files.
 *
 * D1  `edit-recovery` and `saved` are directories, not links, of the effective user, mode 0700.
 * D2  The user-data directory belongs to that user or to root, and nobody else may rename what
 *     stands in it: it is not writable by group or others, or it is sticky.
 * D3  Nothing is made below a directory that belongs to somebody else: a program run with `sudo`
 *     would leave directories that their user cannot enter.
 *
 * D4  Before anything is put into the store, its name and those above it are durable. `saved` is
 *     the proof: it is made after those syncs, so whoever finds it need not sync again, and whoever
 *     does not cannot know whether the maker of the store lived to its sync.
 *
 * Every use looks at the names again instead of trusting an open handle: if the directory was moved
 * or replaced, other processes meet at the new one.
 */
import { type EntryStatus, hasCode, type Os, type StoreDirectory } from "@fe/native";
import { StoreNotPrivateError } from "./errors.ts";
import { savedDirectoryName, storeDirectoryName } from "./file-names.ts";
import { isTrustedOwner, mayMakeBelow } from "./owners.ts";
import { notMadeBelow } from "./store-place.ts";
import { syncAbove } from "./sync-above.ts";
import { syncNames } from "./sync-names.ts";

const privateDirectoryMode = 0o700;
const sticky = 0o1000;
const groupOrOtherWrite = 0o022;

export class JournalDirectory {
  /** `<user data>/edit-recovery`. */
  readonly path: string;
  readonly #os: Os;
  readonly #userDataPath: string;
  #current: { readonly directory: StoreDirectory; readonly status: EntryStatus } | undefined;
  /** The directory that D4 is known to hold for. */
  #durable: EntryStatus | undefined;
  /** Replaced ones: a lock may still be held through one, so they stay open to the end. */
  readonly #replaced: StoreDirectory[] = [];
  #owner: string | undefined;

  constructor(os: Os, userDataPath: string) {
    this.#os = os;
    this.#userDataPath = userDataPath;
    this.path = os.paths.join(userDataPath, storeDirectoryName);
  }

  /** Who must own everything: the effective user. */
  async owner(): Promise<string> {
    this.#owner ??= await this.#os.effectiveOwner();
    return this.#owner;
  }

  /** Path of something in the store. */
  pathOf(...names: readonly string[]): string {
    return names.reduce((path, name) => this.#os.paths.join(path, name), this.path);
  }

  /**
   * The store, checked; `undefined` if there is none. The handle stays ours.
   *
   * Errors: `StoreNotPrivateError`.
   */
  async find(): Promise<StoreDirectory | undefined> {
    const userData = await this.#openUserData();
    if (userData === undefined) return undefined;
    try {
      return await this.#findIn(userData);
    } finally {
      await userData.close();
    }
  }

  /** The store, checked; made with all directories above it if there was none. */
  async findOrMake(): Promise<StoreDirectory> {
    const userData = (await this.#openUserData()) ?? (await this.#makeUserData());
    try {
      const found = await this.#findIn(userData);
      if (found !== undefined) {
        await this.#makeDurable(userData, found);
        return found;
      }
      await this.#make(userData, this.#userDataPath, storeDirectoryName);
      const made = await this.#findIn(userData);
      if (made === undefined) throw notPrivate(this.path, "is removed as soon as it is made");
      await this.#makeDurable(userData, made);
      return made;
    } finally {
      await userData.close();
    }
  }

  /** The directory `saved`, checked, for the caller to close; `undefined` if there is none. */
  async findSaved(store: StoreDirectory): Promise<StoreDirectory | undefined> {
    const path = this.pathOf(savedDirectoryName);
    const entry = await store.entryStatus(savedDirectoryName);
    if (entry === undefined) return undefined;
    checkPrivate(path, entry, await this.owner());
    return store.openDirectory(savedDirectoryName);
  }

  /** The directory `saved`, made durably if there was none. */
  async findOrMakeSaved(store: StoreDirectory): Promise<StoreDirectory> {
    const found = await this.findSaved(store);
    if (found !== undefined) {
      // Its own name may not be durable yet.
      await syncNames(store);
      return found;
    }
    await this.#make(store, this.path, savedDirectoryName);
    const made = await this.findSaved(store);
    if (made === undefined) {
      throw notPrivate(this.pathOf(savedDirectoryName), "is removed as soon as it is made");
    }
    return made;
  }

  async close(): Promise<void> {
    const all = [
      ...this.#replaced,
      ...(this.#current === undefined ? [] : [this.#current.directory]),
    ];
    this.#replaced.length = 0;
    this.#current = undefined;
    for (const directory of all) await directory.close();
  }

  /** D4, once for each directory that is met. */
  async #makeDurable(userData: StoreDirectory, store: StoreDirectory): Promise<void> {
    const current = this.#current?.status;
    const known = this.#durable;
    if (known !== undefined && current !== undefined && isSameEntry(known, current)) return;
    if ((await store.entryStatus(savedDirectoryName)) === undefined) {
      // Without these syncs a power loss could take the store away, with the records in it.
      await syncNames(userData);
      await syncAbove(this.#os, this.#userDataPath, await this.owner());
      try {
        await store.makeDirectory(savedDirectoryName, privateDirectoryMode);
      } catch (error) {
        if (!hasCode(error, "EEXIST")) throw error;
      }
    }
    this.#durable = current;
  }

  async #openUserData(): Promise<StoreDirectory | undefined> {
    const path = this.#userDataPath;
    let directory: StoreDirectory;
    try {
      directory = await this.#os.openStoreDirectory(path);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      if (hasCode(error, "ENOTDIR", "ELOOP")) {
        throw notPrivate(path, "is not a directory", error);
      }
      throw error;
    }
    try {
      const { owner, mode } = await directory.status();
      if (!isTrustedOwner(owner, await this.owner())) {
        throw notPrivate(path, `belongs to somebody else (${owner})`);
      }
      if ((mode & groupOrOtherWrite) !== 0 && (mode & sticky) === 0) {
        throw notPrivate(path, `can be written by others (mode ${mode.toString(8)})`);
      }
      return directory;
    } catch (error) {
      await directory.close();
      throw error;
    }
  }

  async #findIn(userData: StoreDirectory): Promise<StoreDirectory | undefined> {
    const entry = await userData.entryStatus(storeDirectoryName);
    if (entry === undefined) return undefined;
    checkPrivate(this.path, entry, await this.owner());
    if (this.#current !== undefined) {
      if (isSameEntry(this.#current.status, entry)) return this.#current.directory;
      this.#replaced.push(this.#current.directory);
      this.#current = undefined;
    }
    const directory = await userData.openDirectory(storeDirectoryName);
    let status: EntryStatus;
    try {
      status = await directory.status();
      // It may have been replaced since it was looked at by name.
      checkPrivate(this.path, status, await this.owner());
    } catch (error) {
      await directory.close();
      throw error;
    }
    return this.#adopt(directory, status);
  }

  /** Keeps a handle for later uses; another use may have been quicker to open one. */
  async #adopt(directory: StoreDirectory, status: EntryStatus): Promise<StoreDirectory> {
    const current = this.#current;
    if (current !== undefined && isSameEntry(current.status, status)) {
      await directory.close();
      return current.directory;
    }
    if (current !== undefined) this.#replaced.push(current.directory);
    this.#current = { directory, status };
    return directory;
  }

  /** Makes the user-data directory with everything above it that is missing. */
  async #makeUserData(): Promise<StoreDirectory> {
    await this.#makeDirectory(this.#userDataPath);
    const made = await this.#openUserData();
    if (made === undefined) {
      throw notPrivate(this.#userDataPath, "is removed as soon as it is made");
    }
    return made;
  }

  async #makeDirectory(path: string): Promise<void> {
    const { paths } = this.#os;
    const parentPath = paths.parentOf(path);
    const parent = await this.#openOrMake(parentPath);
    try {
      await this.#make(parent, parentPath, paths.nameOf(path));
    } finally {
      await parent.close();
    }
  }

  async #openOrMake(path: string): Promise<StoreDirectory> {
    try {
      return await this.#os.openStoreDirectory(path);
    } catch (error) {
      const isRoot = this.#os.paths.parentOf(path) === path;
      if (!hasCode(error, "ENOENT") || isRoot) throw error;
    }
    await this.#makeDirectory(path);
    return this.#os.openStoreDirectory(path);
  }

  /** Makes one directory (D3). Another process may be first; that is as good. */
  async #make(parent: StoreDirectory, parentPath: string, name: string): Promise<void> {
    const { owner } = await parent.status();
    if (!mayMakeBelow(owner, await this.owner())) {
      throw notMadeBelow(parentPath, owner, name);
    }
    try {
      await parent.makeDirectory(name, privateDirectoryMode);
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    // Without this sync a power loss could take the directory away, with the records in it.
    await syncNames(parent);
  }
}

/** Whether both are one object. */
export function isSameEntry(one: EntryStatus, other: EntryStatus): boolean {
  return one.device === other.device && one.file === other.file;
}

/** D1. */
function checkPrivate(path: string, status: EntryStatus, owner: string): void {
  if (status.kind === "symlink") throw notPrivate(path, "is a symbolic link");
  if (status.kind !== "directory") throw notPrivate(path, "is not a directory");
  if (status.owner !== owner) throw notPrivate(path, `belongs to somebody else (${status.owner})`);
  if (status.mode !== privateDirectoryMode) {
    throw notPrivate(path, `has mode ${status.mode.toString(8)} instead of 700`);
  }
}

function hintFor(why: string): string {
  if (why.startsWith("has mode")) {
    return "Make it private with `chmod 700`, after a look at who could have changed what is in it";
  }
  const other = "Choose another user-data directory (`userDataDirectory`)";
  return why === "is not a directory"
    ? `${other}, or move away what stands there`
    : `${other}, or make this one private to you`;
}

function notPrivate(path: string, why: string, cause?: unknown): StoreNotPrivateError {
  const hint = hintFor(why);
  return new StoreNotPrivateError(path, why, hint, cause === undefined ? undefined : { cause });
}
