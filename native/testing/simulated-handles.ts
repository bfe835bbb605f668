/** Open files and pinned objects of the simulation. */
import type {
  EntryStatus,
  ExclusionAnswer,
  FileStatus,
  PinnedDirectory,
  PinnedFile,
  ReadableFile,
  StoreFile,
  TargetFile,
} from "../lib/os.ts";
import { checkAccess, fail } from "./simulated-disk.ts";
import type { FileChange, FileInode, SimulatedInode } from "./simulated-inode.ts";
import {
  entryStatusOf,
  fileStatusOf,
  leaseBreakMs,
  mustWait,
  OpenFile,
  type SimulatedProcess,
} from "./simulated-process.ts";
import type { Extent } from "./simulated-scheduler.ts";

const setIdBits = 0o6000;

abstract class Handle {
  readonly file: OpenFile;
  /** How `intercept-os.ts` calls it. */
  readonly #kind: string;
  #closed: Promise<void> | undefined;

  constructor(file: OpenFile, kind: string) {
    this.file = file;
    this.#kind = kind;
  }

  close(): Promise<void> {
    const { file } = this;
    if (!file.isOpen || file.isTaken) return file.process.answer(() => undefined);
    this.#closed ??= file.process.call(`${this.#kind}.close`, file.about, () => file.release());
    return this.#closed;
  }

  protected call<T>(method: string, run: (inode: SimulatedInode, extent: Extent) => T): Promise<T> {
    const { file } = this;
    return file.process.call(`${this.#kind}.${method}`, file.about, (extent) => {
      file.check(method);
      return run(file.inode, extent);
    });
  }
}

/** The content of a regular file; anything else cannot be read or written. */
function contentOf(inode: SimulatedInode, operation: string): FileInode {
  if (inode.kind === "regular") return inode;
  throw fail(inode.kind === "directory" ? "EISDIR" : "EINVAL", operation);
}

function checkPosition(positionBytes: number, operation: string): void {
  if (!Number.isSafeInteger(positionBytes) || positionBytes < 0) throw fail("EINVAL", operation);
}

function readAt(file: FileInode, buffer: Uint8Array, positionBytes: number): number {
  const found = file.content.subarray(positionBytes, positionBytes + buffer.length);
  buffer.set(found);
  return found.length;
}

/** `pwrite(2)`: a part is a drawn count of bytes, one at least if there are any. */
export function writeAt(
  open: OpenFile,
  buffer: Uint8Array,
  positionBytes: number,
  extent: Extent,
  operation: string,
): number {
  const { process } = open;
  // As NodeOs does: the system is not asked about nothing.
  if (buffer.length === 0) return 0;
  if (!open.canWrite) throw fail("EBADF", operation, open.about);
  const count =
    extent === "whole" || buffer.length === 1
      ? buffer.length
      : 1 + process.world.random.below(buffer.length - 1);
  const bytes = buffer.subarray(0, count);
  changeFile(process, contentOf(open.inode, operation), {
    kind: "write",
    at: positionBytes,
    bytes,
  });
  return count;
}

function changeFile(process: SimulatedProcess, inode: FileInode, change: FileChange): void {
  const { world } = process;
  const before = inode.content;
  const mode = inode.mode;
  inode.change(change, world.nowNs());
  // The kernel does so, but not for the superuser.
  if (change.kind !== "mode" && process.owner !== 0 && (mode & setIdBits) !== 0) {
    inode.change({ kind: "mode", mode: mode & ~setIdBits }, world.nowNs());
  }
  world.tell({ kind: "content", process, inode, before });
}

/** `fsync(2)`; a fault in it loses what it was to write (P4). */
function syncFile(file: OpenFile, name: string): Promise<void> {
  const { process, inode, about } = file;
  const sync = (): void => {
    file.check("sync");
    if (inode.kind === "regular") inode.sync();
    process.world.tell({ kind: "sync", process, inode });
  };
  const failed = (): void => {
    const { failedSyncLoses, random } = process.world;
    if (failedSyncLoses && inode.kind === "regular") inode.failSync(() => random.chance(0.5));
    process.world.tell({ kind: "failed-sync", process, inode });
  };
  return process.call(name, about, sync, failed);
}

export class SimulatedTargetFile extends Handle implements ReadableFile, TargetFile {
  constructor(file: OpenFile) {
    super(file, file.canWrite ? "target" : "reader");
  }

  status(): Promise<FileStatus> {
    return this.call("status", (inode) => fileStatusOf(inode, true));
  }

  read(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return this.call("read", (inode) => {
      checkPosition(positionBytes, "read");
      return readAt(contentOf(inode, "read"), buffer, positionBytes);
    });
  }

  sync(): Promise<void> {
    return syncFile(this.file, `${this.file.canWrite ? "target" : "reader"}.sync`);
  }

  overwrite(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return this.call("overwrite", (_inode, extent) => {
      checkPosition(positionBytes, "overwrite");
      return writeAt(this.file, buffer, positionBytes, extent, "overwrite");
    });
  }

  setLength(sizeBytes: number): Promise<void> {
    return this.call("setLength", (inode) => {
      checkPosition(sizeBytes, "setLength");
      if (!this.file.canWrite) throw fail("EINVAL", "setLength", this.file.about);
      const file = contentOf(inode, "setLength");
      changeFile(this.file.process, file, { kind: "length", sizeBytes });
    });
  }

  setMode(mode: number): Promise<void> {
    return this.call("setMode", (inode) => {
      const { process } = this.file;
      if (process.owner !== 0 && process.owner !== inode.owner) throw fail("EPERM", "setMode");
      changeFile(process, contentOf(inode, "setMode"), { kind: "mode", mode });
    });
  }

  startExclusion(): Promise<ExclusionAnswer> {
    return this.call("startExclusion", (inode) => {
      const file = contentOf(inode, "startExclusion");
      const answer = this.#exclusionOf(file);
      if (answer.granted) file.lease ??= { holder: this.file, askedMs: undefined };
      return answer;
    });
  }

  endExclusion(): Promise<void> {
    return this.call("endExclusion", (inode) => {
      const file = contentOf(inode, "endExclusion");
      if (file.lease?.holder === this.file) file.lease = undefined;
    });
  }

  probeExclusion(): Promise<ExclusionAnswer> {
    return this.call("probeExclusion", (inode) =>
      this.#exclusionOf(contentOf(inode, "probeExclusion")),
    );
  }

  #exclusionOf(file: FileInode): ExclusionAnswer {
    const { process } = this.file;
    if (!file.volume.hasLeases) return { granted: false, reason: "unsupported" };
    if (process.owner !== 0 && process.owner !== file.owner) {
      return { granted: false, reason: "not-owner" };
    }
    const isAlone = [...file.openFiles].every((open) => open === this.file);
    if (!isAlone) return { granted: false, reason: "open-elsewhere" };
    return { granted: true, holdsMs: leaseBreakMs };
  }

  isExclusionUnbroken(): Promise<boolean> {
    return this.call("isExclusionUnbroken", (inode) => {
      const { lease } = contentOf(inode, "isExclusionUnbroken");
      return lease?.holder === this.file && lease.askedMs === undefined;
    });
  }

  /** Room is never short before it is used; a fault of this call says otherwise. */
  reserve(): Promise<boolean> {
    return this.call("reserve", () => true);
  }
}

export class SimulatedPinnedDirectory extends Handle implements PinnedDirectory {
  constructor(file: OpenFile) {
    super(file, "parent");
  }

  status(): Promise<FileStatus> {
    return this.call("status", (inode) => fileStatusOf(inode, false));
  }
}

export class SimulatedPinnedFile extends Handle implements PinnedFile {
  constructor(file: OpenFile) {
    super(file, "pinned");
  }

  status(): Promise<FileStatus> {
    return this.call("status", (inode) => fileStatusOf(inode, false));
  }

  openForReading(): Promise<ReadableFile> {
    return this.call("openForReading", (inode) => this.#reopen(inode, false));
  }

  openForWriting(): Promise<TargetFile> {
    return this.call("openForWriting", (inode) => this.#reopen(inode, true));
  }

  #reopen(inode: SimulatedInode, canWrite: boolean): SimulatedTargetFile {
    const operation = canWrite ? "openForWriting" : "openForReading";
    const { process, about } = this.file;
    if (inode.kind === "directory" && canWrite) throw fail("EISDIR", operation, about);
    checkAccess(inode, process, canWrite ? 6 : 4, operation, about);
    const open = (): OpenFile => new OpenFile(process, inode, { canWrite, about });
    if (inode.kind !== "regular") return new SimulatedTargetFile(open());
    if (mustWait(inode, process.world.scheduler.nowMs)) throw fail("EAGAIN", operation, about);
    const opened = open();
    inode.openFiles.add(opened);
    return new SimulatedTargetFile(opened);
  }
}

export class SimulatedStoreFile extends Handle implements StoreFile {
  constructor(file: OpenFile) {
    super(file, "file");
  }

  entryStatus(): Promise<EntryStatus> {
    return this.call("entryStatus", entryStatusOf);
  }

  read(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return this.call("read", (inode) => {
      checkPosition(positionBytes, "read");
      return readAt(contentOf(inode, "read"), buffer, positionBytes);
    });
  }

  write(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return this.call("write", (_inode, extent) => {
      checkPosition(positionBytes, "write");
      return writeAt(this.file, buffer, positionBytes, extent, "write");
    });
  }

  /** What was not synced may be lost or not, in any part, whenever its writing began. */
  startWriteBack(): Promise<void> {
    return this.call("startWriteBack", () => undefined);
  }

  sync(): Promise<void> {
    return syncFile(this.file, "file.sync");
  }

  tryLock(): Promise<boolean> {
    return this.call("tryLock", (inode) => {
      const file = contentOf(inode, "tryLock");
      if (inode.volume.locks === "none") throw fail("ENOLCK", "tryLock", this.file.about);
      if (inode.volume.locks === "granted") return true;
      if (file.lockHolder !== undefined && file.lockHolder !== this.file) return false;
      file.lockHolder = this.file;
      this.file.process.world.tell({ kind: "lock", file: this.file });
      return true;
    });
  }
}
