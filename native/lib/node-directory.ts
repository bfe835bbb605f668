/** A directory of the store on Node and the addon. */
import type { Addon, RawFinishReport } from "./binding.ts";
import { Descriptor } from "./descriptor.ts";
import { sync } from "./file-io.ts";
import { asOsError } from "./native-call.ts";
import { NodeStoreFile } from "./node-files.ts";
import type {
  EntryStatus,
  FinishReport,
  FinishRequest,
  ObjectStatus,
  PublishReport,
  StoreDirectory,
  StoreFile,
} from "./os.ts";
import { OsError } from "./os-error.ts";
import { bytesToPath, pathToBytes } from "./path-text.ts";
import { entryStatus, objectStatus, words } from "./status.ts";

export class NodeStoreDirectory implements StoreDirectory {
  readonly #addon: Addon;
  readonly #directory: Descriptor;

  constructor(addon: Addon, directory: Descriptor) {
    this.#addon = addon;
    this.#directory = directory;
  }

  async status(): Promise<ObjectStatus> {
    const texts = this.#directory.use("status", (fd) =>
      this.#addon.status(fd, false, words.unsigned),
    );
    return objectStatus(this.#addon, texts, words);
  }

  async list(): Promise<string[]> {
    return this.#directory.use("list", (fd) => this.#addon.list(fd)).map(bytesToPath);
  }

  async entryStatus(name: string): Promise<EntryStatus | undefined> {
    const owner = this.#at("entryStatus", name, (fd, bytes) =>
      this.#addon.entryStatusAt(fd, bytes, words.unsigned),
    );
    return owner === null ? undefined : entryStatus(this.#addon, owner, words);
  }

  async findInHeads(
    names: readonly string[],
    bytes: Uint8Array,
    withinBytes: number,
  ): Promise<string[]> {
    const operation = "findInHeads";
    if (!Number.isSafeInteger(withinBytes) || withinBytes < 0) throw invalid(operation);
    const asBytes = names.map(pathToBytes);
    const places = await this.#directory.useLater(operation, (fd) =>
      this.#addon.findInHeads(fd, asBytes, Buffer.from(bytes), withinBytes),
    );
    return places.map((place) => names[place] ?? "");
  }

  async openFile(name: string, access: "read" | "read-write"): Promise<StoreFile> {
    const forWriting = access === "read-write";
    return this.#file("openFile", name, (fd, bytes) => this.#addon.openFile(fd, bytes, forWriting));
  }

  async openOrCreateFile(name: string, mode: number): Promise<StoreFile> {
    return this.#file("openOrCreateFile", name, (fd, bytes) =>
      this.#addon.openOrCreateFile(fd, bytes, mode),
    );
  }

  async createFile(name: string, mode: number): Promise<StoreFile> {
    return this.#file("createFile", name, (fd, bytes) => this.#addon.createFile(fd, bytes, mode));
  }

  async createUnnamedFile(mode: number): Promise<StoreFile> {
    const number = this.#directory.use("createUnnamedFile", (fd) =>
      this.#addon.createUnnamedFile(fd, mode),
    );
    return this.#adopt(number, "(unnamed file)");
  }

  async linkUnnamedFile(file: StoreFile, name: string): Promise<void> {
    const unnamed = descriptorOf(file, "linkUnnamedFile");
    this.#at("linkUnnamedFile", name, (directory, bytes) =>
      unnamed.use("linkUnnamedFile", (fd) => this.#addon.linkUnnamedFile(fd, directory, bytes)),
    );
  }

  async publishUnnamedFile(file: StoreFile, name: string): Promise<PublishReport> {
    const operation = "publishUnnamedFile";
    try {
      const unnamed = descriptorOf(file, operation);
      const bytes = pathToBytes(name);
      const { hasName, error } = await unnamed.useLater(operation, (fd) =>
        this.#directory.useLater(operation, (directory) =>
          this.#addon.publishUnnamedFile(fd, directory, bytes),
        ),
      );
      return { hasName, error: error && reported(error, stepOf(error), name) };
    } catch (error) {
      if (!(error instanceof OsError)) throw error;
      return { hasName: false, error };
    }
  }

  async link(from: string, to: string): Promise<void> {
    this.#at("link", to, (fd, bytes) => this.#addon.link(fd, pathToBytes(from), bytes));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#at("rename", to, (fd, bytes) => this.#addon.rename(fd, pathToBytes(from), fd, bytes));
  }

  async moveTo(from: string, directory: StoreDirectory, to: string): Promise<void> {
    if (!(directory instanceof NodeStoreDirectory)) throw foreign("moveTo");
    this.#at("moveTo", from, (fd, bytes) =>
      directory.#at("moveTo", to, (toFd, toBytes) => this.#addon.rename(fd, bytes, toFd, toBytes)),
    );
  }

  async unlink(name: string): Promise<void> {
    this.#at("unlink", name, (fd, bytes) => this.#addon.unlink(fd, bytes));
  }

  async makeDirectory(name: string, mode: number): Promise<void> {
    this.#at("makeDirectory", name, (fd, bytes) => this.#addon.makeDirectory(fd, bytes, mode));
  }

  async openDirectory(name: string): Promise<StoreDirectory> {
    const number = this.#at("openDirectory", name, (fd, bytes) =>
      this.#addon.openDirectory(fd, bytes),
    );
    return new NodeStoreDirectory(this.#addon, new Descriptor(this.#addon, number, name));
  }

  sync(): Promise<void> {
    return sync(this.#directory);
  }

  close(): Promise<void> {
    return this.#directory.close();
  }

  async finishRecord(request: FinishRequest): Promise<FinishReport> {
    const { recordName, phaseBlock, phasePositionBytes, lock } = request;
    // From here on both count as closed, so nothing can come between their numbers and the one
    // call.
    const record = await takeFrom(request.record);
    const lockFile = lock === undefined ? -1 : await takeFrom(lock.file);
    const positionIsValid = Number.isSafeInteger(phasePositionBytes) && phasePositionBytes >= 0;
    const report = this.#finish((directory) =>
      this.#addon.finishRecord(
        directory,
        record,
        bytesOrNone(recordName),
        positionIsValid ? phaseBlock : Buffer.alloc(0),
        positionIsValid ? phasePositionBytes : 0,
        lock !== undefined,
        lockFile,
        bytesOrNone(lock?.name ?? ""),
      ),
    );
    const { rest } = report;
    // After the answer: closing it gives its blocks back, which takes longer than all of this.
    if (rest !== undefined) setImmediate(() => this.#addon.close(rest));
    const markError = positionIsValid
      ? report.markError
      : new OsError("EINVAL", "finishRecord", { path: recordName });
    return {
      markError: markError && reported(markError, "finishRecord", recordName),
      record: reportedRemoval(report.record, recordName),
      lock: reportedRemoval(report.lock, lock?.name),
    };
  }

  /** A closed directory becomes -1, and so a part of the report. */
  #finish(call: (directory: number) => RawFinishReport): RawFinishReport {
    return this.#directory.isOpen ? this.#directory.use("finishRecord", call) : call(-1);
  }

  #at<T>(operation: string, name: string, call: (fd: number, name: Buffer) => T): T {
    const bytes = pathToBytes(name);
    return this.#directory.use(operation, (fd) => call(fd, bytes), name);
  }

  #file(operation: string, name: string, call: (fd: number, name: Buffer) => number): StoreFile {
    return this.#adopt(this.#at(operation, name, call), name);
  }

  #adopt(number: number, name: string): StoreFile {
    return new NodeStoreFile(this.#addon, new Descriptor(this.#addon, number, name));
  }
}

function descriptorOf(file: StoreFile, operation: string): Descriptor {
  if (!(file instanceof NodeStoreFile)) throw foreign(operation);
  return file.descriptor;
}

function invalid(operation: string): OsError {
  return new OsError("EINVAL", operation, { message: "EINVAL, a length is wanted" });
}

function foreign(operation: string): OsError {
  const message = "EINVAL, a handle of another implementation of the port";
  return new OsError("EINVAL", operation, { message });
}

/** -1: it is closed, or not a handle of ours. */
async function takeFrom(file: StoreFile): Promise<number> {
  return file instanceof NodeStoreFile ? ((await file.descriptor.take()) ?? -1) : -1;
}

/** A name that has no bytes becomes one that the addon refuses. */
function bytesOrNone(name: string): Buffer {
  try {
    return pathToBytes(name);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The method that does the failed part of `publishUnnamedFile` on its own. */
function stepOf(error: Error): string {
  return "syscall" in error && error.syscall === "fsync" ? "sync" : "linkUnnamedFile";
}

function reported(error: Error, operation: string, name: string | undefined): Error {
  const converted = asOsError(error, operation, name);
  return converted instanceof Error ? converted : error;
}

function reportedRemoval(
  removal: RawFinishReport["record"],
  name: string | undefined,
): FinishReport["record"] {
  return removal instanceof Error ? reported(removal, "finishRecord", name) : removal;
}
