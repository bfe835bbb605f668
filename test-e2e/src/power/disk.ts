/**
 * A disk that remembers every write and flush: an image behind native/block-log.c, a loop device on
 * that, and a filesystem of the running kernel on the loop device.
 *
 * The loop device is buffered: with direct I/O over a FUSE file the disk was seen corrupted.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const source = fileURLToPath(new URL("../../native/block-log.c", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));
const execute = promisify(execFile);

/** A filesystem with its mount options. */
export interface Filesystem {
  /** As it is reported, such as `ext4 data=journal`. */
  readonly name: string;
  readonly type: "ext4" | "xfs" | "btrfs";
  /** Mount options beside `loop`. */
  readonly options: readonly string[];
  /**
   * Blocks of a removed file are given to the next one before the removal is durable (ext4 with
   * `data=writeback`). So a removed record can come back with the next record's bytes in it.
   */
  readonly reusesBlocksAtOnce?: boolean;
}

/** The smallest sizes that hold 8 MiB files with their records; xfs takes no less than 300 MiB. */
const sizeMiB = { ext4: 128, xfs: 320, btrfs: 256 } as const;

const makers: Readonly<Record<Filesystem["type"], readonly string[]>> = {
  // Nothing is left to a thread of the kernel that would write at any time.
  ext4: ["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"],
  xfs: ["mkfs.xfs", "-q", "-f"],
  btrfs: ["mkfs.btrfs", "-q", "-f"],
};

export async function run(command: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await execute(command, parameters);
  return stdout.trim();
}

/** Makes the FUSE program; returns its path. */
export function makeBlockLog(): string {
  mkdirSync(cache, { recursive: true });
  const program = path.join(cache, "block-log");
  const made = `${program}.${process.pid}`;
  const flags = execFileSync("pkg-config", ["--cflags", "--libs", "fuse3"]).toString().trim();
  const strict = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"];
  execFileSync("gcc", [...strict, source, "-o", made, ...flags.split(/\s+/u)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  renameSync(made, program);
  return program;
}

function mountOptions(filesystem: Filesystem): string {
  // A copy of an xfs that is mounted, or was, has its UUID.
  return [...filesystem.options, ...(filesystem.type === "xfs" ? ["nouuid"] : [])].join(",");
}

/** Mounts an image; the loop device goes with the mount. */
export async function mountImage(
  filesystem: Filesystem,
  image: string,
  place: string,
): Promise<void> {
  const options = ["loop", mountOptions(filesystem)].filter(Boolean).join(",");
  await run("mount", "-t", filesystem.type, "-o", options, image, place);
}

/** Busy for a moment after the last handle was closed, at times. */
export async function unmount(place: string): Promise<void> {
  for (let round = 0; ; round++) {
    try {
      await run("umount", place);
      return;
    } catch (error) {
      if (round === 20) throw error;
      await sleep(50);
    }
  }
}

/** The disk while something runs on it. */
export class LoggedDisk implements AsyncDisposable {
  readonly filesystem: Filesystem;
  /** The disk as it was when the log began. */
  readonly base: string;
  readonly image: string;
  readonly log: string;
  /** Where the filesystem is mounted. */
  readonly mount: string;
  readonly #fuse: string;
  #server: ChildProcess | undefined;
  #loop: string | undefined;
  #isMounted = false;

  private constructor(filesystem: Filesystem, folder: string) {
    this.filesystem = filesystem;
    this.base = path.join(folder, "base.img");
    this.image = path.join(folder, "disk.img");
    this.log = path.join(folder, "disk.log");
    this.mount = path.join(folder, "mounted");
    this.#fuse = path.join(folder, "fuse");
  }

  /** @param folder an empty one; best on a memory filesystem */
  static async create(
    program: string,
    filesystem: Filesystem,
    folder: string,
  ): Promise<LoggedDisk> {
    const disk = new LoggedDisk(filesystem, folder);
    try {
      await disk.#start(program);
    } catch (error) {
      await disk[Symbol.asyncDispose]();
      throw error;
    }
    return disk;
  }

  get marks(): string {
    return path.join(this.#fuse, "marks");
  }

  async #start(program: string): Promise<void> {
    const { type } = this.filesystem;
    await mkdir(this.mount);
    await mkdir(this.#fuse);
    const made = `${this.base}.made`;
    await writeFile(made, "");
    await truncate(made, sizeMiB[type] * 1024 * 1024);
    const [command = "", ...parameters] = makers[type];
    await run(command, ...parameters, made);
    // Zeros become holes, so that the many copies to come are small.
    await run("cp", "--sparse=always", made, this.base);
    await run("cp", this.base, this.image);
    this.#server = spawn(program, [this.image, this.log, this.#fuse], { stdio: "inherit" });
    const disk = path.join(this.#fuse, "disk");
    for (let round = 0; !existsSync(disk); round++) {
      if (round === 200) throw new Error("The FUSE filesystem does not come up");
      await sleep(10);
    }
    this.#loop = await run("losetup", "--find", "--show", disk);
    const options = mountOptions(this.filesystem) || "defaults";
    await run("mount", "-t", type, "-o", options, this.#loop, this.mount);
    this.#isMounted = true;
  }

  /** Unmounts, and lets everything go. Afterwards image and log are whole. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isMounted) await unmount(this.mount);
    this.#isMounted = false;
    if (this.#loop !== undefined) await run("losetup", "-d", this.#loop);
    this.#loop = undefined;
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const ended = server.exitCode === null ? once(server, "exit") : undefined;
    // The loop device lets go of its file a moment after it was told to.
    await unmount(this.#fuse).catch(() => server.kill("SIGKILL"));
    await ended;
  }
}
