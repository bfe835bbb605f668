/** Open files and pinned objects on Node and the addon. */
import type { Addon, StatusTexts } from "./binding.ts";
import { Descriptor } from "./descriptor.ts";
import { readFully, setLength, setMode, sync, writeOnce } from "./file-io.ts";
import type {
  EntryStatus,
  ExclusionAnswer,
  ExclusionRefusal,
  FileStatus,
  ObjectStatus,
  PinnedDirectory,
  PinnedFile,
  ReadableFile,
  StoreFile,
  TargetFile,
} from "./os.ts";
import { entryStatus, fileStatus, objectStatus, words } from "./status.ts";

/** What all handles have. */
abstract class NodeHandle {
  protected readonly addon: Addon;
  readonly descriptor: Descriptor;

  constructor(addon: Addon, descriptor: Descriptor) {
    this.addon = addon;
    this.descriptor = descriptor;
  }

  close(): Promise<void> {
    return this.descriptor.close();
  }
}

/** A handle that was opened from another: the volume id is the one found first. */
abstract class NodeObject extends NodeHandle {
  protected readonly volume: bigint;

  constructor(addon: Addon, descriptor: Descriptor, volume: bigint) {
    super(addon, descriptor);
    this.volume = volume;
  }

  /** Fills the words. */
  protected texts(withPermission: boolean): StatusTexts {
    return this.descriptor.use("status", (fd) =>
      this.addon.status(fd, withPermission, words.unsigned),
    );
  }
}

/** A file, whose permission is asked for as well. */
abstract class NodeFile extends NodeObject {
  async status(): Promise<FileStatus> {
    return fileStatus(this.addon, this.texts(true), words, this.volume);
  }
}

function answerOf(answer: number | ExclusionRefusal): ExclusionAnswer {
  return typeof answer === "number"
    ? { granted: true, holdsMs: answer }
    : { granted: false, reason: answer };
}

export class NodeTargetFile extends NodeFile implements ReadableFile, TargetFile {
  read(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return readFully(this.descriptor, buffer, positionBytes);
  }

  sync(): Promise<void> {
    return sync(this.descriptor);
  }

  overwrite(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return writeOnce("overwrite", this.descriptor, buffer, positionBytes);
  }

  setLength(sizeBytes: number): Promise<void> {
    return setLength(this.descriptor, sizeBytes);
  }

  setMode(mode: number): Promise<void> {
    return setMode(this.descriptor, mode);
  }

  async startExclusion(insistUs = 0): Promise<ExclusionAnswer> {
    if (!Number.isInteger(insistUs) || insistUs < 0 || insistUs > 1e6) {
      throw new RangeError(`One insists for 0 to 1,000,000 microseconds, not ${insistUs}`);
    }
    return answerOf(
      this.descriptor.use("startExclusion", (fd) => this.addon.startExclusion(fd, insistUs)),
    );
  }

  async endExclusion(): Promise<void> {
    this.descriptor.use("endExclusion", (fd) => this.addon.endExclusion(fd));
  }

  async probeExclusion(): Promise<ExclusionAnswer> {
    return answerOf(this.descriptor.use("probeExclusion", (fd) => this.addon.probeExclusion(fd)));
  }

  async isExclusionUnbroken(): Promise<boolean> {
    return this.descriptor.use("isExclusionUnbroken", (fd) => this.addon.exclusionIsUnbroken(fd));
  }

  async reserve(sizeBytes: number): Promise<boolean> {
    return this.descriptor.use("reserve", (fd) => this.addon.reserve(fd, sizeBytes));
  }
}

export class NodePinnedDirectory extends NodeObject implements PinnedDirectory {
  async status(): Promise<ObjectStatus> {
    return objectStatus(this.addon, this.texts(false), words, this.volume);
  }
}

export class NodePinnedFile extends NodeFile implements PinnedFile {
  async openForReading(): Promise<ReadableFile> {
    return this.#reopen("openForReading", false);
  }

  async openForWriting(): Promise<TargetFile> {
    return this.#reopen("openForWriting", true);
  }

  #reopen(operation: string, forWriting: boolean): NodeTargetFile {
    const number = this.descriptor.use(operation, (fd) => this.addon.reopen(fd, forWriting));
    const descriptor = new Descriptor(this.addon, number, this.descriptor.about);
    return new NodeTargetFile(this.addon, descriptor, this.volume);
  }
}

export class NodeStoreFile extends NodeHandle implements StoreFile {
  async entryStatus(): Promise<EntryStatus> {
    const owner = this.descriptor.use("entryStatus", (fd) =>
      this.addon.entryStatus(fd, words.unsigned),
    );
    return entryStatus(this.addon, owner, words);
  }

  read(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return readFully(this.descriptor, buffer, positionBytes);
  }

  write(buffer: Uint8Array, positionBytes: number): Promise<number> {
    return writeOnce("write", this.descriptor, buffer, positionBytes);
  }

  startWriteBack(positionBytes: number, lengthBytes: number): Promise<void> {
    return this.descriptor.useLater("startWriteBack", (fd) =>
      this.addon.startWriteBack(fd, positionBytes, lengthBytes),
    );
  }

  sync(): Promise<void> {
    return sync(this.descriptor);
  }

  async tryLock(): Promise<boolean> {
    return this.descriptor.use("tryLock", (fd) => this.addon.tryLock(fd));
  }
}
