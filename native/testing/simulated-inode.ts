/**
 * What the simulated disk holds: files, directories, links, FIFOs, each with what is in the cache
 * and what would be left after a power loss.
 *
 * P1  A write, a length or a mode of a file is durable after the next successful sync of this file.
 * P2  An entry of a directory is durable after the next successful sync of this directory.
 * P3  Until then each change is kept or lost for itself, whatever became of those before it. This
 *     is weaker than any journaling filesystem, on purpose.
 * P4  After a failed sync of a file the cache looks as before, but what the sync was to write may
 *     never reach the disk, not even by a later sync that succeeds (as on Linux).
 */
// The sector and name choices of a power loss are in crash-images.ts.
import type { FileKind } from "../lib/os.ts";

/** Where inodes live: numbers, device and abilities of one filesystem. */
export interface SimulatedVolume {
  /** `f_fsid`: outlives a reboot. */
  readonly id: bigint;
  /** `st_dev`: may be another after a reboot. */
  device: bigint;
  readonly type: string;
  readonly class: "local" | "network" | "fuse" | "pseudo";
  /** Whether the number of a removed file goes to the next one at once, as on ext4. */
  readonly reusesNumbers: boolean;
  readonly hasUnnamedFiles: boolean;
  readonly hasBirthTimes: boolean;
  readonly hasGenerations: boolean;
  /** `granted`: every lock is granted to everybody. `none`: the call is not supported. */
  readonly locks: "exclusive" | "granted" | "none";
  readonly hasLeases: boolean;
  nextNumber: bigint;
  readonly freeNumbers: bigint[];
}

/** A change of a file that is in the cache. */
export type FileChange =
  | { readonly kind: "write"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "length"; readonly sizeBytes: number }
  | { readonly kind: "mode"; readonly mode: number };

export interface PendingFileChange {
  readonly change: FileChange;
  /** P4: a sync failed, and this will not be written any more. */
  isDropped: boolean;
}

/** A change of a directory. A rename within one directory is one change; across two it is two. */
export interface NameChange {
  readonly removed?: string;
  readonly added?: { readonly name: string; readonly inode: SimulatedInode };
}

export interface InodeFacts {
  readonly volume: SimulatedVolume;
  readonly number: bigint;
  /** Order of making over the whole world; also the generation. */
  readonly serial: number;
  readonly birthTimeNs: bigint;
  readonly mode: number;
  readonly owner: number;
}

abstract class Inode {
  abstract readonly kind: FileKind;
  readonly volume: SimulatedVolume;
  readonly number: bigint;
  readonly serial: number;
  readonly birthTimeNs: bigint;
  readonly owner: number;
  readonly group: number;
  mode: number;
  modifiedNs: bigint;
  /** Names that lead to it. */
  linkCount = 0;
  /** Handles that pin it. */
  openCount = 0;

  constructor(facts: InodeFacts) {
    this.volume = facts.volume;
    this.number = facts.number;
    this.serial = facts.serial;
    this.birthTimeNs = facts.birthTimeNs;
    this.modifiedNs = facts.birthTimeNs;
    this.mode = facts.mode;
    this.owner = facts.owner;
    this.group = facts.owner;
  }
}

const empty: Uint8Array = new Uint8Array(0);

/** `content` with a change made to it; what was given is left as it is. */
export function withChange(content: Uint8Array, change: FileChange): Uint8Array {
  if (change.kind === "mode") return content;
  if (change.kind === "length") {
    if (change.sizeBytes <= content.length) return content.slice(0, change.sizeBytes);
    const longer = new Uint8Array(change.sizeBytes);
    longer.set(content);
    return longer;
  }
  const { at, bytes } = change;
  if (bytes.length === 0) return content;
  const changed = new Uint8Array(Math.max(content.length, at + bytes.length));
  changed.set(content);
  changed.set(bytes, at);
  return changed;
}

/** A regular file. Its buffers are never changed in place, so whoever reads them may keep them. */
export class FileInode extends Inode {
  readonly kind = "regular";
  content: Uint8Array = empty;
  durableContent: Uint8Array = empty;
  durableMode: number;
  pending: PendingFileChange[] = [];
  /** Made without a name and not yet given one; once it had one and lost it, it gets no other. */
  isUnnamed = false;
  /** Who holds its lock: any object that stands for one open file. */
  lockHolder: object | undefined;
  /** Handles that can read or write it. */
  readonly openFiles: Set<object> = new Set();
  /** Who keeps others out, and when the first of them asked for the file, in ms of the machine. */
  lease: { readonly holder: object; askedMs: number | undefined } | undefined;

  constructor(facts: InodeFacts) {
    super(facts);
    this.durableMode = facts.mode;
  }

  change(change: FileChange, nowNs: bigint): void {
    // A writer may use its buffer again.
    const kept: FileChange =
      change.kind === "write" ? { ...change, bytes: change.bytes.slice() } : change;
    this.content = withChange(this.content, kept);
    if (kept.kind === "mode") this.mode = kept.mode;
    else this.modifiedNs = nowNs;
    this.pending.push({ change: kept, isDropped: false });
  }

  sync(): void {
    if (this.pending.some(({ isDropped }) => isDropped)) {
      for (const { change, isDropped } of this.pending) {
        if (!isDropped) this.#makeDurable(change);
      }
    } else {
      this.durableContent = this.content;
      this.durableMode = this.mode;
    }
    this.pending = [];
  }

  /** P4. `isLost` is asked for each change; the others are as good as synced. */
  failSync(isLost: () => boolean): void {
    for (const pending of this.pending) pending.isDropped ||= isLost();
  }

  /** Makes what is on the disk what is in the cache. */
  settle(content: Uint8Array, mode: number): void {
    this.content = content;
    this.durableContent = content;
    this.mode = mode;
    this.durableMode = mode;
    this.pending = [];
    this.lockHolder = undefined;
    this.openFiles.clear();
    this.lease = undefined;
  }

  #makeDurable(change: FileChange): void {
    this.durableContent = withChange(this.durableContent, change);
    if (change.kind === "mode") this.durableMode = change.mode;
  }
}

export class DirectoryInode extends Inode {
  readonly kind = "directory";
  entries: Map<string, SimulatedInode> = new Map();
  durableEntries: Map<string, SimulatedInode> = new Map();
  pending: NameChange[] = [];
  parent: DirectoryInode;
  /** It has been removed: nothing can be made in it any more. */
  isRemoved = false;

  constructor(facts: InodeFacts, parent?: DirectoryInode) {
    super(facts);
    this.parent = parent ?? this;
  }

  change(change: NameChange, nowNs: bigint): void {
    applyNames(this.entries, change);
    this.pending.push(change);
    this.modifiedNs = nowNs;
  }

  sync(): void {
    this.durableEntries = new Map(this.entries);
    this.pending = [];
  }

  settle(entries: Map<string, SimulatedInode>): void {
    this.entries = entries;
    this.sync();
  }
}

/** Also where the name that goes is not there: an earlier change may have been lost. */
export function applyNames(entries: Map<string, SimulatedInode>, change: NameChange): void {
  if (change.removed !== undefined) entries.delete(change.removed);
  if (change.added !== undefined) entries.set(change.added.name, change.added.inode);
}

export class LinkInode extends Inode {
  readonly kind = "symlink";
  readonly target: string;

  constructor(facts: InodeFacts, target: string) {
    super(facts);
    this.target = target;
  }
}

export class FifoInode extends Inode {
  readonly kind = "fifo";
}

export type SimulatedInode = FileInode | DirectoryInode | LinkInode | FifoInode;
