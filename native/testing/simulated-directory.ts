/** A directory of the store, in the simulation. */
import type {
  EntryStatus,
  FileStatus,
  FinishReport,
  FinishRequest,
  PublishReport,
  StoreDirectory,
  StoreFile,
} from "../lib/os.ts";
import { OsError } from "../lib/os-error.ts";
import { publishInSteps } from "./publish-in-steps.ts";
import { checkAccess, checkName, fail, mayAccess } from "./simulated-disk.ts";
import { SimulatedStoreFile, writeAt } from "./simulated-handles.ts";
import type { DirectoryInode } from "./simulated-inode.ts";
import {
  entryStatusOf,
  fileStatusOf,
  OpenFile,
  type SimulatedProcess,
} from "./simulated-process.ts";
import type { Extent } from "./simulated-scheduler.ts";

/** As in the addon. */
const maxRounds = 100;

export class SimulatedStoreDirectory implements StoreDirectory {
  readonly #file: OpenFile;
  readonly #inode: DirectoryInode;
  readonly #process: SimulatedProcess;

  constructor(process: SimulatedProcess, inode: DirectoryInode, about: string) {
    this.#process = process;
    this.#inode = inode;
    this.#file = new OpenFile(process, inode, { canWrite: false, about });
  }

  status(): Promise<FileStatus> {
    return this.#call("status", "", () => fileStatusOf(this.#inode, true));
  }

  list(): Promise<string[]> {
    return this.#call("list", "", () => [...this.#inode.entries.keys()]);
  }

  entryStatus(name: string): Promise<EntryStatus | undefined> {
    return this.#at("entryStatus", name, () => {
      try {
        return entryStatusOf(this.#lookup("entryStatus", name));
      } catch (error) {
        if (error instanceof OsError && error.code === "ENOENT") return undefined;
        throw error;
      }
    });
  }

  findInHeads(names: readonly string[], bytes: Uint8Array, withinBytes: number): Promise<string[]> {
    return this.#call("findInHeads", `${names.length} names`, () => {
      for (const name of names) checkName(name, "findInHeads");
      return names.filter((name) => {
        const inode = this.#inode.entries.get(name);
        if (inode?.kind !== "regular" || !mayAccess(inode, this.#process, 4)) return false;
        return Buffer.from(inode.content.subarray(0, withinBytes)).includes(Buffer.from(bytes));
      });
    });
  }

  openFile(name: string, access: "read" | "read-write"): Promise<StoreFile> {
    return this.#at("openFile", name, () => this.#open(name, access === "read-write"));
  }

  async openOrCreateFile(name: string, mode: number): Promise<StoreFile> {
    for (let round = 0; round < maxRounds; round++) {
      try {
        return await this.#at("openOrCreateFile", name, () => this.#open(name, true));
      } catch (error) {
        if (!(error instanceof OsError) || error.code !== "ENOENT") throw error;
      }
      try {
        return await this.#at("openOrCreateFile/create", name, () => this.#create(name, mode));
      } catch (error) {
        if (!(error instanceof OsError) || error.code !== "EEXIST") throw error;
      }
    }
    throw fail("EAGAIN", "openOrCreateFile", name);
  }

  createFile(name: string, mode: number): Promise<StoreFile> {
    return this.#at("createFile", name, () => this.#create(name, mode));
  }

  createUnnamedFile(mode: number): Promise<StoreFile> {
    return this.#call("createUnnamedFile", "", () => {
      const { disk } = this.#process.world;
      if (!this.#inode.volume.hasUnnamedFiles) throw fail("EOPNOTSUPP", "createUnnamedFile");
      this.#checkChange("createUnnamedFile");
      const inode = disk.makeUnnamedFile(this.#inode, mode, this.#process.owner);
      return this.#adopt(inode, true, "(unnamed file)");
    });
  }

  linkUnnamedFile(file: StoreFile, name: string): Promise<void> {
    return this.#call("linkUnnamedFile", name, () => {
      const open = openFileOf(file, "linkUnnamedFile");
      open.check("linkUnnamedFile");
      checkName(name, "linkUnnamedFile");
      this.#checkChange("linkUnnamedFile");
      const { disk } = this.#process.world;
      disk.link(open.inode, this.#inode, name, "linkUnnamedFile");
    });
  }

  publishUnnamedFile(file: StoreFile, name: string): Promise<PublishReport> {
    return publishInSteps(this, file, name);
  }

  link(from: string, to: string): Promise<void> {
    return this.#at("link", to, () => {
      checkName(from, "link");
      this.#checkChange("link");
      const inode = this.#lookup("link", from);
      this.#process.world.disk.link(inode, this.#inode, to, "link");
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#at("rename", to, () => this.#rename(from, this.#inode, to));
  }

  moveTo(from: string, directory: StoreDirectory, to: string): Promise<void> {
    return this.#at("moveTo", to, () => {
      if (!(directory instanceof SimulatedStoreDirectory)) throw fail("EINVAL", "moveTo");
      directory.#file.check("moveTo");
      directory.#checkChange("moveTo");
      this.#rename(from, directory.#inode, to);
    });
  }

  unlink(name: string): Promise<void> {
    return this.#at("unlink", name, () => this.#unlink(name));
  }

  makeDirectory(name: string, mode: number): Promise<void> {
    return this.#at("makeDirectory", name, () => {
      this.#checkChange("makeDirectory");
      const { disk } = this.#process.world;
      disk.makeDirectory(this.#inode, name, mode, this.#process.owner);
    });
  }

  openDirectory(name: string): Promise<StoreDirectory> {
    return this.#at("openDirectory", name, () => {
      const inode = this.#lookup("openDirectory", name);
      if (inode.kind === "symlink") throw fail("ELOOP", "openDirectory", name);
      if (inode.kind !== "directory") throw fail("ENOTDIR", "openDirectory", name);
      checkAccess(inode, this.#process, 4, "openDirectory", name);
      return new SimulatedStoreDirectory(this.#process, inode, name);
    });
  }

  sync(): Promise<void> {
    return this.#call("sync", this.#file.about, () => {
      this.#inode.sync();
      this.#process.world.tell({ kind: "sync", process: this.#process, inode: this.#inode });
    });
  }

  close(): Promise<void> {
    if (!this.#file.isOpen) return this.#process.answer(() => undefined);
    const release = (): void => this.#file.release();
    return this.#process.call("directory.close", this.#file.about, release);
  }

  /** Five calls of the system: a process can die, and others can act, between any two. */
  async finishRecord(request: FinishRequest): Promise<FinishReport> {
    const { recordName, lock } = request;
    const record = takeFrom(request.record);
    const lockFile = lock === undefined ? undefined : takeFrom(lock.file);
    const markError = await this.#finishMark(record, request);
    const removedRecord = await this.#finishRemove("record", recordName);
    const removedLock = lock === undefined ? "absent" : await this.#finishRemove("lock", lock.name);
    for (const open of [record, lockFile]) {
      if (open === undefined) continue;
      await this.#process.call("directory.finishRecord/close", open.about, () => open.release());
    }
    return { markError, record: removedRecord, lock: removedLock };
  }

  async #finishMark(
    record: OpenFile | undefined,
    { recordName, phaseBlock, phasePositionBytes }: FinishRequest,
  ): Promise<Error | undefined> {
    const name = "directory.finishRecord/mark";
    if (!Number.isSafeInteger(phasePositionBytes) || phasePositionBytes < 0) {
      return fail("EINVAL", name, recordName);
    }
    if (record === undefined) return fail("EBADF", name, recordName);
    try {
      for (let done = 0; done < phaseBlock.length; ) {
        const write = (extent: Extent): number => {
          const rest = phaseBlock.subarray(done);
          return writeAt(record, rest, phasePositionBytes + done, extent, name);
        };
        done += await this.#process.call(name, recordName, write);
      }
      return undefined;
    } catch (error) {
      return asError(error);
    }
  }

  async #finishRemove(what: "record" | "lock", name: string): Promise<FinishReport["record"]> {
    try {
      await this.#at(`finishRecord/unlink-${what}`, name, () => this.#unlink(name));
      return "removed";
    } catch (error) {
      const failure = asError(error);
      return failure instanceof OsError && failure.code === "ENOENT" ? "absent" : failure;
    }
  }

  #call<T>(method: string, about: string, run: (extent: Extent) => T): Promise<T> {
    return this.#process.call(`directory.${method}`, about, (extent) => {
      this.#file.check(method);
      return run(extent);
    });
  }

  #at<T>(method: string, name: string, run: () => T): Promise<T> {
    return this.#call(method, name, () => {
      checkName(name, method);
      checkAccess(this.#inode, this.#process, 1, method, name);
      return run();
    });
  }

  #lookup(operation: string, name: string): ReturnType<DirectoryInode["entries"]["get"]> & object {
    return this.#process.world.disk.lookup(this.#inode, name, operation);
  }

  #checkChange(operation: string): void {
    checkAccess(this.#inode, this.#process, 3, operation);
  }

  #open(name: string, canWrite: boolean): SimulatedStoreFile {
    const inode = this.#lookup("openFile", name);
    if (inode.kind === "symlink") throw fail("ELOOP", "openFile", name);
    if (inode.kind !== "regular") throw fail("EFTYPE", "openFile", name);
    checkAccess(inode, this.#process, canWrite ? 6 : 4, "openFile", name);
    return this.#adopt(inode, canWrite, name);
  }

  #create(name: string, mode: number): SimulatedStoreFile {
    if (this.#inode.entries.has(name)) throw fail("EEXIST", "createFile", name);
    this.#checkChange("createFile");
    const { disk } = this.#process.world;
    const inode = disk.makeFile(this.#inode, name, mode, this.#process.owner);
    return this.#adopt(inode, true, name);
  }

  #rename(from: string, to: DirectoryInode, toName: string): void {
    checkName(from, "rename");
    this.#checkChange("rename");
    this.#process.world.disk.rename(this.#inode, from, to, toName);
  }

  #unlink(name: string): void {
    this.#lookup("unlink", name);
    this.#checkChange("unlink");
    this.#process.world.disk.unlink(this.#inode, name);
  }

  #adopt(inode: OpenFile["inode"], canWrite: boolean, about: string): SimulatedStoreFile {
    return new SimulatedStoreFile(new OpenFile(this.#process, inode, { canWrite, about }));
  }
}

function openFileOf(file: StoreFile, operation: string): OpenFile {
  if (file instanceof SimulatedStoreFile) return file.file;
  throw fail("EINVAL", operation);
}

/** From now on it counts as closed for everybody else. `undefined`: it is closed already. */
function takeFrom(file: StoreFile): OpenFile | undefined {
  if (!(file instanceof SimulatedStoreFile)) return undefined;
  const open = file.file;
  if (!open.isOpen || open.isTaken) return undefined;
  open.isTaken = true;
  return open;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
