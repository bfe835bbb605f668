/**
 * The journal: recovery records, key locks, and what was saved by hand, in one private directory.
 *
 * Nothing is decided here. Who may remove a record is reconciliation's to say; the journal sees to
 * it that what is removed is what was judged, and that what is published is durable.
 *
 * J1  Opening, listing and reading change nothing; the store is made by the first `tryLockKey`.
 * J2  A record is published and removed only under its key's lock (in a store without locks: by its
 *     owner, or at a person's word).
 */
import type { Os, StoreDirectory } from "@fe/native";
import { listRecords, openRecord, recordsNaming } from "./catalogue.ts";
import { JournalClosedError, RecordNotFoundError, withSuppressed } from "./errors.ts";
import { isKey, lockName } from "./file-names.ts";
import { findRecord, peekRecord } from "./find-record.ts";
import { JournalDirectory } from "./journal-directory.ts";
import type {
  Journal,
  JournalOptions,
  KeptRecord,
  KeyLock,
  KeyLockOptions,
  ListedRecord,
  LiveRecord,
  OpenRecord,
  RecordDraft,
  RecordFinding,
  SavedBytes,
} from "./journal-types.ts";
import { listKept, openKept } from "./kept-record.ts";
import { HeldKeyLock, locksExclude, saysNoLocks, takeLockFile } from "./key-lock.ts";
import { maxEngineVersionLength } from "./limits.ts";
import { prepareRecord } from "./live-record.ts";
import { dropSaved, listSaved, moveAside, openSaved, saveBytes } from "./saved-bytes.ts";
import type { Store } from "./store.ts";
import { findStorePlace, type StorePlace } from "./store-place.ts";

/**
 * Opens the journal of a user-data directory, by way of a port. Asks the system for nothing,
 * creates nothing, recovers nothing; to be closed.
 *
 * Errors: `TypeError` for options that are missing or not known; `RangeError` for a directory that
 * is not absolute, or an engine version that is too long.
 */
export async function openJournal(os: Os, options: JournalOptions): Promise<Journal> {
  const { userDataDirectory, engineVersion, ...unknown } = options ?? {};
  if (typeof userDataDirectory !== "string" || typeof engineVersion !== "string") {
    throw new TypeError("openJournal needs userDataDirectory and engineVersion, both as text");
  }
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new TypeError(`openJournal has no option "${name}"`);
  if (!os.paths.isAbsolute(userDataDirectory)) {
    throw new RangeError(`The user-data directory is not absolute: "${userDataDirectory}"`);
  }
  if (engineVersion.length > maxEngineVersionLength) {
    throw new RangeError(`The engine version is longer than ${maxEngineVersionLength} characters`);
  }
  return new OpenJournal(os, options);
}

type SavedAt = ReturnType<Journal["saveBytes"]>;

class OpenJournal implements Journal {
  readonly #os: Os;
  readonly #engineVersion: string;
  readonly #names: JournalDirectory;
  /** Key locks that are held, by key. */
  readonly #locks: Map<string, HeldKeyLock> = new Map<string, HeldKeyLock>();
  #storeHasLocks: boolean | undefined;
  #needsSync = false;
  #syncFailure: unknown;
  #isClosed = false;

  constructor(os: Os, options: JournalOptions) {
    this.#os = os;
    this.#engineVersion = options.engineVersion;
    this.#names = new JournalDirectory(os, options.userDataDirectory);
  }

  get directoryPath(): string {
    return this.#names.path;
  }

  get storeHasLocks(): boolean | undefined {
    return this.#storeHasLocks;
  }

  async tryLockKey(
    key: string,
    { legacyIdentity }: KeyLockOptions = {},
  ): Promise<KeyLock | undefined> {
    this.#checkOpen();
    if (!isKey(key)) throw new RangeError(`Not a key: "${key}"`);
    const base = await this.#storeIn(await this.#names.findOrMake());
    await this.#judgeFilesystem(base.directory);
    const unlocked = (): KeyLock =>
      new HeldKeyLock({ ...base, hasLocks: false }, key, undefined, { legacyIdentity });
    if (this.#storeHasLocks === false) return unlocked();
    try {
      const file = await takeLockFile(base, key);
      if (file === undefined) {
        // To be refused is as good a proof.
        this.#storeHasLocks = true;
        return undefined;
      }
      const lock = new HeldKeyLock({ ...base, hasLocks: true }, key, file, {
        legacyIdentity,
        onLetGo: this.#forget,
      });
      this.#locks.set(key, lock);
      if (this.#storeHasLocks === undefined) {
        this.#storeHasLocks = await this.#probeLocks(lock);
        if (!this.#storeHasLocks) await lock.release();
      }
      if (this.#storeHasLocks) return lock;
    } catch (error) {
      if (this.#storeHasLocks === true || !saysNoLocks(error)) throw error;
      this.#storeHasLocks = false;
      // Of no use in a store without locks.
      await base.directory.unlink(lockName(key));
    }
    return unlocked();
  }

  async findRecord(lock: KeyLock): Promise<RecordFinding> {
    return findRecord(this.#held(lock));
  }

  async peekRecord(key: string, { legacyIdentity }: KeyLockOptions = {}): Promise<RecordFinding> {
    const store = await this.#findStore();
    if (store === undefined) return { kind: "none" };
    await this.#judgeFilesystem(store.directory);
    // On a local one the first lock finds it out; until then they are believed to exclude.
    const hasLocks = this.#storeHasLocks !== false;
    try {
      return await peekRecord({ ...store, hasLocks }, key, legacyIdentity);
    } catch (error) {
      if (!hasLocks || this.#storeHasLocks === true || !saysNoLocks(error)) throw error;
      this.#storeHasLocks = false;
      return peekRecord({ ...store, hasLocks: false }, key, legacyIdentity);
    }
  }

  async #judgeFilesystem(directory: StoreDirectory): Promise<void> {
    if (this.#storeHasLocks !== undefined) return;
    if ((await directory.status()).filesystem.class !== "local") this.#storeHasLocks = false;
  }

  async recordsNaming(realPath: string, exceptKey: string): Promise<readonly string[]> {
    this.#checkOpen();
    // Right after `findRecord` under the same lock, its look at the store serves this one too.
    const lock = this.#locks.get(exceptKey);
    const names = lock?.takeListing();
    if (lock !== undefined && names !== undefined) {
      return recordsNaming(lock.store, realPath, exceptKey, names);
    }
    const store = await this.#findStore();
    return store === undefined ? [] : recordsNaming(store, realPath, exceptKey);
  }

  async prepare(lock: KeyLock, draft: RecordDraft): Promise<LiveRecord> {
    return prepareRecord(this.#held(lock), draft, this.#engineVersion);
  }

  async list(): Promise<readonly ListedRecord[]> {
    const store = await this.#findStore();
    if (store === undefined) return [];
    await this.#judgeFilesystem(store.directory);
    return listRecords(store);
  }

  async open(id: string): Promise<OpenRecord> {
    const store = await this.#findStore();
    if (store === undefined) throw new RecordNotFoundError(id);
    return openRecord(store, id);
  }

  async saveBytes(...given: Parameters<Journal["saveBytes"]>): SavedAt {
    const [recordId, source, note, spared] = given;
    if (!isKey(recordId)) throw new RangeError(`Not the id of a record: "${recordId}"`);
    const store = await this.#findStore();
    if (store === undefined) throw new RecordNotFoundError(recordId);
    return saveBytes(store, recordId, source, note, spared);
  }

  async dropSaved(path: string): Promise<void> {
    const store = await this.#findStore();
    if (store !== undefined) await dropSaved(store, path);
  }

  async storePlace(): Promise<StorePlace> {
    this.#checkOpen();
    return findStorePlace(this.#os, this.directoryPath, await this.#names.owner());
  }

  async listSaved(): Promise<readonly SavedBytes[]> {
    const store = await this.#findStore();
    return store === undefined ? [] : listSaved(store);
  }

  async openSaved(path: string): ReturnType<Journal["openSaved"]> {
    const store = await this.#findStore();
    return store === undefined ? undefined : openSaved(store, path);
  }

  async listKept(): Promise<readonly KeptRecord[]> {
    const store = await this.#findStore();
    return store === undefined ? [] : listKept(store);
  }

  async openKept(path: string): Promise<OpenRecord> {
    const store = await this.#findStore();
    if (store === undefined) throw new RecordNotFoundError(path);
    return openKept(store, path);
  }

  async moveUnsafeToSaved(lock: KeyLock, id: string): Promise<string> {
    const held = this.#held(lock);
    const finding = await findRecord(held);
    if (finding.kind === "held") await finding.record.release();
    if (finding.kind !== "unsafe" || finding.id !== id) throw new RecordNotFoundError(id);
    const name = this.#os.paths.nameOf(finding.path);
    const ending = name.endsWith(".reap") ? "reap" : name.endsWith(".json") ? "json" : "fer";
    return moveAside(held.store, name, id, ending);
  }

  async syncIfNeeded(): Promise<void> {
    if (!this.#needsSync) return;
    // A failed sync must not be repeated as a way to success.
    this.#needsSync = false;
    try {
      const directory = await this.#names.find();
      // Without this sync a power loss could bring a removed record back; it would be judged again.
      await directory?.sync();
    } catch (error) {
      this.#syncFailure = withSuppressed(this.#syncFailure, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Kept by `syncIfNeeded`, and told below with an earlier one that nobody may have heard of.
    await this.syncIfNeeded().catch(() => undefined);
    let failure = this.#syncFailure;
    try {
      await this.#names.close();
    } catch (error) {
      failure = withSuppressed(failure, error);
    }
    if (failure !== undefined) throw failure;
  }

  /** Once per journal, on the first lock that was obtained. */
  async #probeLocks(lock: HeldKeyLock): Promise<boolean> {
    return locksExclude(lock.store.directory, lock.key).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
  }

  async #findStore(): Promise<Store | undefined> {
    this.#checkOpen();
    const directory = await this.#names.find();
    return directory === undefined ? undefined : this.#storeIn(directory);
  }

  async #storeIn(directory: StoreDirectory): Promise<Store> {
    return {
      os: this.#os,
      directory,
      names: this.#names,
      owner: await this.#names.owner(),
      hasLocks: this.#storeHasLocks === true,
      noteRemoval: this.#noteRemoval,
    };
  }

  readonly #forget = (lock: HeldKeyLock): void => {
    if (this.#locks.get(lock.key) === lock) this.#locks.delete(lock.key);
  };

  readonly #noteRemoval = (): void => {
    this.#needsSync = true;
  };

  #held(lock: KeyLock): HeldKeyLock {
    this.#checkOpen();
    if (!(lock instanceof HeldKeyLock)) throw new TypeError("Not a key lock of this journal");
    if (!lock.isHeld) throw new Error("The key lock was let go");
    return lock;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new JournalClosedError();
  }
}
