/**
 * A machine in memory: one disk, a clock, and processes that share them. Everything that happens
 * follows from the seed.
 *
 * What it is not: a network filesystem, memory that is mapped, access lists, quotas, other hosts.
 * Its processes are as good as those of Linux for what the port can ask, and its disk is worse.
 */
// How much, simulated-inode.ts says.
import type { Os } from "../lib/os.ts";
import { crashDisk } from "./crash-images.ts";
import { SeededRandom } from "./seeded-random.ts";
import { fail, SimulatedDisk } from "./simulated-disk.ts";
import type { DirectoryInode, SimulatedVolume } from "./simulated-inode.ts";
import { SimulatedOs } from "./simulated-os.ts";
import { type Machine, SimulatedProcess, type WorldEvent } from "./simulated-process.ts";
import { Scheduler } from "./simulated-scheduler.ts";

export interface WorldOptions {
  readonly seed: number;
  /** What of the volume is not as on ext4. */
  readonly volume?: Partial<SimulatedVolume>;
  /** Uid of its processes. @default 1000 */
  readonly owner?: number;
  /** A write can tear between two of these. @default 512 */
  readonly sectorBytes?: number;
  /** P4 of the disk; without it a sync that failed may be repeated. @default true */
  readonly failedSyncLoses?: boolean;
  /** I2 of the scheduler. @default 20,000 */
  readonly maxSteps?: number;
  /** How likely the process that made the last call makes the next. @default 0.5 */
  readonly stickiness?: number;
}

/** Some day of the year 2027, ms since 1970. */
const epochMs = 1_800_000_000_000;
const firstPid = 100;
/** Kernel ticks of 10 ms, in which start times are told. */
const tickMs = 10;
const rebootMs = 30_000;

export function makeVolume(options: Partial<SimulatedVolume> = {}): SimulatedVolume {
  return {
    id: 0x5eed_f00dn,
    device: 0x801n,
    type: "ext4",
    class: "local",
    reusesNumbers: true,
    hasUnnamedFiles: true,
    hasBirthTimes: true,
    hasGenerations: true,
    locks: "exclusive",
    hasLeases: false,
    nextNumber: 12n,
    freeNumbers: [],
    ...options,
  };
}

export class SimulatedWorld implements Machine {
  readonly random: SeededRandom;
  readonly scheduler: Scheduler;
  readonly disk: SimulatedDisk;
  readonly owner: number;
  readonly failedSyncLoses: boolean;
  readonly #sectorBytes: number;
  #processes: SimulatedProcess[] = [];
  #observers: ((event: WorldEvent) => void)[] = [];
  #nextPid = firstPid;
  #bootId: string;
  #bootedMs = 0;

  constructor(options: WorldOptions) {
    this.random = new SeededRandom(options.seed);
    this.owner = options.owner ?? 1000;
    this.failedSyncLoses = options.failedSyncLoses ?? true;
    this.#sectorBytes = options.sectorBytes ?? 512;
    this.#bootId = this.random.uuid();
    this.scheduler = new Scheduler(
      this.random,
      {
        kill: (pid) => this.livingProcess(pid)?.die(),
        losePower: () => this.losePower(),
        error: (code, { name, about }) => fail(code, name, about),
      },
      { maxSteps: options.maxSteps ?? 20_000, stickiness: options.stickiness ?? 0.5 },
    );
    this.disk = new SimulatedDisk(makeVolume(options.volume), () => this.nowNs());
    this.disk.watchNames = (directory, change) => {
      const process = this.livingProcess(this.scheduler.currentPid);
      this.tell({ kind: "name", process, directory, change });
    };
  }

  /** Wall clock. */
  nowMs(): number {
    return epochMs + this.scheduler.nowMs;
  }

  nowNs(): bigint {
    return BigInt(Math.round(this.nowMs() * 1e6));
  }

  observe(observer: (event: WorldEvent) => void): void {
    this.#observers.push(observer);
  }

  tell(event: WorldEvent): void {
    for (const observer of this.#observers) observer(event);
  }

  /** A new process, with a port of its own. */
  start(): { readonly os: Os; readonly process: SimulatedProcess } {
    const pid = this.#nextPid;
    this.#nextPid += 1;
    const sinceBootMs = this.scheduler.nowMs - this.#bootedMs;
    const process = new SimulatedProcess(this, pid, this.owner, {
      pid,
      startTime: BigInt(Math.floor(sinceBootMs / tickMs)),
      bootId: this.#bootId,
      bootTimeMs: epochMs + this.#bootedMs,
      pidNamespace: 4_026_531_836n,
      hostId: "5eed".repeat(16),
    });
    this.#processes.push(process);
    return { os: new SimulatedOs(process), process };
  }

  livingProcess(pid: number): SimulatedProcess | undefined {
    return this.#processes.find((process) => process.pid === pid && process.isAlive);
  }

  /** All processes die; the machine runs on. */
  killAll(): void {
    for (const process of this.#processes) process.die();
    this.#processes = [];
  }

  /**
   * All processes die, the disk keeps one of the states that it may keep, and the machine starts
   * again: other boot id, same pids, perhaps another device number.
   */
  losePower(): void {
    this.killAll();
    crashDisk(this.disk.root, this.random, this.#sectorBytes);
    this.scheduler.nowMs += rebootMs;
    this.#bootedMs = this.scheduler.nowMs;
    this.#bootId = this.random.uuid();
    this.#nextPid = firstPid;
    if (this.random.chance(0.3)) this.disk.volume.device += 1n;
    this.tell({ kind: "power-loss" });
  }

  /** Makes everything durable: the state that a test begins with. */
  syncAll(): void {
    const visit = (directory: DirectoryInode): void => {
      directory.sync();
      for (const inode of directory.entries.values()) {
        if (inode.kind === "regular") inode.sync();
        if (inode.kind === "directory") visit(inode);
      }
    };
    visit(this.disk.root);
  }
}
