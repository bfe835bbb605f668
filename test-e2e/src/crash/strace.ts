/**
 * The same calls as the kernel sees them. strace is slower than the shim, counts `when=` per
 * thread, and kills before a call only; but no call escapes it, however it was made.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { CommandFolder, CommandResult, RunOptions } from "../harness/command.ts";
import { type Call, callOf } from "./calls.ts";
import { pinned } from "./shim.ts";

/** Every call by which Linux lets a file, its length, its bits, its names or its locks change. */
const changing = [
  ...["open", "openat", "openat2", "creat", "mkdir", "mkdirat", "mknod", "mknodat", "symlink"],
  ...["symlinkat", "link", "linkat", "rename", "renameat", "renameat2", "unlink", "unlinkat"],
  ...["rmdir", "write", "pwrite64", "writev", "pwritev", "pwritev2", "sendfile", "splice"],
  ...["copy_file_range", "truncate", "ftruncate", "fallocate", "fsync", "fdatasync", "syncfs"],
  ...["sync", "sync_file_range", "chmod", "fchmod", "fchmodat", "chown", "fchown", "fchownat"],
  ...["setxattr", "fsetxattr", "removexattr", "fremovexattr", "utimensat", "flock"],
  ...["io_uring_setup", "io_uring_enter"],
];
/** Calls that change no file, at which a kill is tried too. */
const looking = ["close", "fstat", "statx", "newfstatat", "read", "pread64", "fcntl", "readlink"];

/** One call on a file of the folder. */
export interface TracedCall {
  readonly call: Call;
  /** As strace names it. */
  readonly syscall: string;
  /** How often its thread had made this system call by then, on any file. */
  readonly when: number;
  readonly changes: boolean;
}

/** Why nothing can be traced here; `undefined` if it can. */
export function whyNoStrace(): string | undefined {
  try {
    execFileSync("strace", ["-qq", "-o", "/dev/null", "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "strace is not here, or may not trace";
  }
}

/** Runs the command under strace; `inject` as its option of that name takes it. */
export async function traced(
  folder: CommandFolder,
  parameters: readonly string[],
  inject?: string,
  options: RunOptions = {},
): Promise<{ run: CommandResult; calls: TracedCall[] }> {
  const log = `${path.dirname(folder.path)}.strace`;
  const through = ["strace", "-f", "-qq", "-y", "-o", log];
  through.push("-e", `trace=${[...changing, ...looking].join(",")}`);
  if (inject !== undefined) through.push("-e", `inject=${inject}`);
  try {
    const run = await folder.fe(parameters, { ...options, through, environment: pinned });
    return { run, calls: parse(readFileSync(log, "utf8"), folder) };
  } finally {
    rmSync(log, { force: true });
  }
}

/** The names that differ between libc and kernel. */
const kernelNames: Readonly<Record<string, string>> = { pwrite64: "pwrite" };

function parse(log: string, folder: CommandFolder): TracedCall[] {
  const root = path.dirname(folder.path);
  const counts = new Map<string, number>();
  const handles = new Map<string, string>();
  const calls: TracedCall[] = [];
  for (const line of log.split("\n")) {
    for (const [, fd = "", file = ""] of line.matchAll(/\b(\d+)<([^<>]*)>/gu)) {
      handles.set(fd, file);
    }
    const [, thread, syscall, rest] = /^(\d+) +(\w+)\((.*)$/u.exec(line) ?? [];
    if (thread === undefined || syscall === undefined || rest === undefined) continue;
    const when = (counts.get(`${thread} ${syscall}`) ?? 0) + 1;
    counts.set(`${thread} ${syscall}`, when);
    const file = fileOf(syscall, rest, handles);
    if (file !== root && !file?.startsWith(`${root}/`)) continue;
    const name = kernelNames[syscall] ?? syscall;
    calls.push({
      call: callOf(name, file, folder),
      syscall,
      when,
      changes: changing.includes(syscall) && changesFile(syscall, rest),
    });
  }
  return calls;
}

/** The file that a call is about: the new name, where it has two. */
function fileOf(
  syscall: string,
  parameters: string,
  handles: ReadonlyMap<string, string>,
): string | undefined {
  const [call = ""] = parameters.split(/\) += /u);
  const handle = /(?:AT_FDCWD|\d+)<([^<>]*)>(\(deleted\))?/u;
  if (/at2?$|^statx$/u.test(syscall)) {
    const pairs = call.matchAll(new RegExp(`${handle.source}, "([^"]*)"`, "gu"));
    const [, directory = "", isGone, name = ""] = [...pairs].at(-1) ?? [];
    if (name === "") return isGone === undefined ? directory : `${directory} (deleted)`;
    return name.startsWith("/") ? byHandle(name, handles) : `${directory}/${name}`;
  }
  const [, file, isGone] = new RegExp(`^${handle.source}`, "u").exec(call) ?? [];
  if (file !== undefined) return isGone === undefined ? file : `${file} (deleted)`;
  const [, name] = /^"([^"]*)"/u.exec(call) ?? [];
  return name === undefined ? undefined : byHandle(name, handles);
}

function byHandle(name: string, handles: ReadonlyMap<string, string>): string {
  const [, fd] = /^\/proc\/self\/fd\/(\d+)$/u.exec(name) ?? [];
  return (fd === undefined ? undefined : handles.get(fd)) ?? name;
}

function changesFile(syscall: string, parameters: string): boolean {
  return !syscall.startsWith("open") || /O_CREAT|O_TRUNC|O_TMPFILE/u.test(parameters);
}
