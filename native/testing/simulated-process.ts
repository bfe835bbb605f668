/**
 * A process of the simulation: its pid, what it has open, and its death, at which the kernel lets
 * go of everything for it.
 */
import type { EntryStatus, FileIdentity, FileStatus, ProcessIdentity } from "../lib/os.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { fail, type SimulatedDisk } from "./simulated-disk.ts";
import type { DirectoryInode, FileInode, NameChange, SimulatedInode } from "./simulated-inode.ts";
import type { Extent, Scheduler } from "./simulated-scheduler.ts";

/** What an observer is told, as it happens. `process` is `undefined` for what no process did. */
export type WorldEvent =
  | {
      readonly kind: "content";
      readonly process: SimulatedProcess;
      readonly inode: FileInode;
      readonly before: Uint8Array;
    }
  | {
      readonly kind: "sync";
      readonly process: SimulatedProcess;
      readonly inode: SimulatedInode;
    }
  /** A lock was given to it. */
  | { readonly kind: "lock"; readonly file: OpenFile }
  /** A sync of a file failed; its process is told so. */
  | {
      readonly kind: "failed-sync";
      readonly process: SimulatedProcess;
      readonly inode: SimulatedInode;
    }
  | { readonly kind: "release"; readonly file: OpenFile }
  | {
      readonly kind: "name";
      readonly process: SimulatedProcess | undefined;
      readonly directory: DirectoryInode;
      readonly change: NameChange;
    }
  | { readonly kind: "death"; readonly process: SimulatedProcess }
  | { readonly kind: "power-loss" };

/** What a process needs of the world that it runs in. */
export interface Machine {
  readonly disk: SimulatedDisk;
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly failedSyncLoses: boolean;
  nowMs(): number;
  nowNs(): bigint;
  tell(event: WorldEvent): void;
  livingProcess(pid: number): SimulatedProcess | undefined;
}

/** One open file: what a descriptor stands for. */
export class OpenFile {
  readonly inode: SimulatedInode;
  readonly process: SimulatedProcess;
  readonly canWrite: boolean;
  /** For errors and traces. */
  readonly about: string;
  /** No call but the one that took it may use it. */
  isTaken = false;
  #isOpen = true;

  constructor(
    process: SimulatedProcess,
    inode: SimulatedInode,
    options: { readonly canWrite: boolean; readonly about: string },
  ) {
    this.process = process;
    this.inode = inode;
    this.canWrite = options.canWrite;
    this.about = options.about;
    inode.openCount += 1;
    process.open.add(this);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  check(operation: string): void {
    if (!this.#isOpen || this.isTaken) throw fail("EBADF", operation, this.about);
  }

  /** Lets go; a second time is harmless. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { inode, process } = this;
    process.open.delete(this);
    inode.openCount -= 1;
    if (inode.kind === "regular") {
      inode.openFiles.delete(this);
      if (inode.lockHolder === this) inode.lockHolder = undefined;
      if (inode.lease?.holder === this) inode.lease = undefined;
    }
    process.world.disk.release(inode);
    process.world.tell({ kind: "release", file: this });
  }
}

/** How long a holder of a lease may go on after somebody asked (`lease-break-time`). */
export const leaseBreakMs = 45_000;

/** Whether an opener has to wait for a lease; being refused is asking for the file too. */
export function mustWait(inode: FileInode, nowMs: number): boolean {
  const { lease } = inode;
  if (lease === undefined) return false;
  lease.askedMs ??= nowMs;
  if (nowMs < lease.askedMs + leaseBreakMs) return true;
  // The kernel takes it away.
  inode.lease = undefined;
  return false;
}

export class SimulatedProcess {
  readonly world: Machine;
  readonly pid: number;
  readonly owner: number;
  readonly open: Set<OpenFile> = new Set();
  readonly identity: ProcessIdentity;
  #isAlive = true;

  constructor(world: Machine, pid: number, owner: number, identity: ProcessIdentity) {
    this.world = world;
    this.pid = pid;
    this.owner = owner;
    this.identity = identity;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Makes a call of the port when the scheduler chooses it. */
  call<T>(
    name: string,
    about: string,
    run: (extent: Extent) => T,
    failed?: () => void,
  ): Promise<T> {
    return this.world.scheduler.enter(this, { name, about, pid: this.pid }, run, failed);
  }

  /** An answer that needs no turn, since it depends on nothing that another could change. */
  answer<T>(give: () => T): Promise<T> {
    if (!this.#isAlive) return new Promise(() => undefined);
    return new Promise((resolve) => resolve(give()));
  }

  /** SIGKILL, and what an ordinary exit does too. What it wrote stays in the cache. */
  die(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const file of [...this.open]) file.release();
    this.world.scheduler.drop((caller) => caller === this);
    this.world.tell({ kind: "death", process: this });
  }
}

export function entryStatusOf(inode: SimulatedInode): EntryStatus {
  return {
    kind: inode.kind,
    device: inode.volume.device,
    file: inode.number,
    sizeBytes: sizeOf(inode),
    linkCount: inode.linkCount,
    mode: inode.mode,
    owner: String(inode.owner),
    modifiedNs: inode.modifiedNs,
  };
}

/** `canRead`: a handle that can, which alone knows the generation. */
export function fileStatusOf(inode: SimulatedInode, canRead: boolean): FileStatus {
  const entry = entryStatusOf(inode);
  return {
    ...entry,
    identity: identityOf(inode, canRead),
    permission: {
      mode: entry.mode,
      owner: entry.owner,
      group: String(inode.group),
      accessList: null,
      capabilities: null,
    },
    filesystem: { type: inode.volume.type, class: inode.volume.class },
  };
}

function identityOf(inode: SimulatedInode, canRead: boolean): FileIdentity {
  const { volume, number, birthTimeNs, serial } = inode;
  const identity: { -readonly [Part in keyof FileIdentity]: FileIdentity[Part] } = {
    volume: volume.id,
    file: number,
    device: volume.device,
  };
  if (volume.hasBirthTimes) identity.birthTimeNs = birthTimeNs;
  if (volume.hasGenerations && canRead) identity.generation = BigInt(serial);
  return identity;
}

function sizeOf(inode: SimulatedInode): number {
  if (inode.kind === "regular") return inode.content.length;
  return inode.kind === "symlink" ? inode.target.length : 0;
}
