/**
 * The shape of the raw addon. Only files of this folder call it, and none hands it on.
 *
 * A descriptor is a number that the addon opened; any other throws `EBADF`. Paths and names are
 * bytes. A failed call throws an Error with `code`, `syscall` and `errno`.
 */
import type { ExclusionRefusal, ProcessProbe } from "./os.ts";

/** POSIX: the decimal uid. Windows: the self-relative security descriptor, with the owner in it. */
export type RawOwner = string | Buffer;

/**
 * What the addon says of a file beside the words that it fills; see src/js_status.h. The last two
 * are there if the permission was asked for and there is anything in them: each access list in a
 * fixed order, and the file capabilities.
 */
export type StatusTexts = readonly [
  owner: RawOwner,
  group: string,
  handle: string,
  filesystemType: string,
  accessLists?: readonly (readonly [name: string, bytes: Buffer])[],
  capabilities?: Buffer | null,
];

export interface RawFinishReport {
  readonly markError: Error | undefined;
  readonly record: "removed" | "absent" | Error;
  readonly lock: "removed" | "absent" | Error;
  /** The record, unlocked: to be closed when nobody waits for it. */
  readonly rest?: number;
}

export interface RawPublishReport {
  readonly hasName: boolean;
  readonly error: Error | undefined;
}

export interface RawBootFacts {
  readonly bootId?: string;
  readonly pidNamespace?: bigint;
  /**
   * As it stands in the system; it is secret by convention, so it leaves this folder as a digest.
   */
  readonly machineId?: string;
}

/** What Node's own calls do with a descriptor; there only where a number is none. */
export interface AddonContent {
  read(file: number, bytes: Uint8Array, positionBytes: number): number;
  write(file: number, bytes: Uint8Array, positionBytes: number): number;
  readLater(file: number, bytes: Uint8Array, positionBytes: number): Promise<number>;
  writeLater(file: number, bytes: Uint8Array, positionBytes: number): Promise<number>;
  setLength(file: number, sizeBytes: number): void;
}

export interface Addon {
  /** `componentsOnly`: without `openat2(2)`, as on a kernel that lacks it. */
  openTarget(
    path: Buffer,
    componentsOnly: boolean,
    parentWords: BigUint64Array,
    targetWords: BigUint64Array,
  ): readonly [parent: StatusTexts, target: StatusTexts, parentFd: number, targetFd: number];
  /** Without the permission. */
  inspectTarget(
    path: Buffer,
    componentsOnly: boolean,
    parentWords: BigUint64Array,
    targetWords: BigUint64Array,
  ): readonly [parent: StatusTexts, target: StatusTexts];
  status(descriptor: number, withPermission: boolean, words: BigUint64Array): StatusTexts;
  /** Returns the owner. */
  entryStatus(descriptor: number, words: BigUint64Array): RawOwner;
  reopen(descriptor: number, forWriting: boolean): number;
  tryLock(descriptor: number): boolean;
  /** For how many ms it holds at least, perhaps infinite; or why there is none. */
  startExclusion(descriptor: number, insistUs: number): number | ExclusionRefusal;
  endExclusion(descriptor: number): void;
  /** As `startExclusion`, of one that has ended by then. */
  probeExclusion(descriptor: number): number | ExclusionRefusal;
  exclusionIsUnbroken(descriptor: number): boolean;
  /** `false`: the system cannot say. */
  reserve(descriptor: number, sizeBytes: number): boolean;
  close(descriptor: number): void;
  /** Not to be closed before it has ended. */
  flush(descriptor: number): Promise<void>;

  openDirectoryByPath(path: Buffer): number;
  openDirectory(directory: number, name: Buffer): number;
  openFile(directory: number, name: Buffer, forWriting: boolean): number;
  openOrCreateFile(directory: number, name: Buffer, mode: number): number;
  createFile(directory: number, name: Buffer, mode: number): number;
  createUnnamedFile(directory: number, mode: number): number;
  linkUnnamedFile(file: number, directory: number, name: Buffer): void;
  /** Neither descriptor may be closed before it has ended. */
  publishUnnamedFile(file: number, directory: number, name: Buffer): Promise<RawPublishReport>;
  /** The descriptor may not be closed before it has ended. */
  startWriteBack(file: number, positionBytes: number, lengthBytes: number): Promise<void>;
  /** Places in `names`. The descriptor may not be closed before it has ended. */
  findInHeads(
    directory: number,
    names: readonly Buffer[],
    bytes: Uint8Array,
    withinBytes: number,
  ): Promise<number[]>;
  /** Returns the owner; `null`: there is no such name. */
  entryStatusAt(directory: number, name: Buffer, words: BigUint64Array): RawOwner | null;
  list(directory: number): Buffer[];
  makeDirectory(directory: number, name: Buffer, mode: number): void;
  link(directory: number, from: Buffer, to: Buffer): void;
  rename(fromDirectory: number, from: Buffer, toDirectory: number, to: Buffer): void;
  unlink(directory: number, name: Buffer): void;
  /** Takes `record` and `lock`, and throws nothing. -1 = closed already. */
  finishRecord(
    directory: number,
    record: number,
    recordName: Buffer,
    mark: Uint8Array,
    markPositionBytes: number,
    hasLock: boolean,
    lock: number,
    lockName: Buffer,
  ): RawFinishReport;

  bootFacts(): RawBootFacts;
  bootTimeMs(): number;
  ownStartTime(): bigint | undefined;
  /** Decimal effective uid; Windows: SID of the user. */
  effectiveOwner(): string;
  probeProcess(pid: number): ProcessProbe;
  /** Windows only. */
  readonly content?: AddonContent;
}
