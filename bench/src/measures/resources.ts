/** P3, P4, P5: memory, event-loop delay, system calls, flushes and bytes written of one edit. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type Kind, makeFile, sizeName } from "../sample.ts";
import { type Summary, summarize } from "../statistics.ts";
import { canRun, runTask } from "../tasks.ts";

export interface MemoryResult {
  readonly contender: string;
  readonly sizeBytes: number;
  readonly edit: Kind;
  readonly grownBytes: Summary;
}

export function measureMemory(
  folder: string,
  userData: string,
  cases: readonly { readonly contender: string; readonly sizeBytes: number; readonly edit: Kind }[],
  rounds: number,
): MemoryResult[] {
  const warmFile = path.join(folder, "warm.txt");
  const file = path.join(folder, "memory.txt");
  return cases.map(({ contender, sizeBytes, edit }) => {
    const grown: number[] = [];
    for (let round = 0; round < rounds; round++) {
      makeFile(warmFile, "same length", 4096);
      makeFile(file, edit, sizeBytes);
      const task = { kind: "memory", contender, userData, file, warmFile, edit } as const;
      grown.push(runTask(task).grownBytes ?? Number.NaN);
    }
    rmSync(file);
    return { contender, sizeBytes, edit, grownBytes: summarize(grown) };
  });
}

export interface DelayResult {
  readonly contender: string;
  readonly sizeBytes: number;
  readonly rounds: number;
  /** 99.9th percentile of how late a timer of 1 ms was during an edit; median of the rounds. */
  readonly duringEditMs: number;
  /** The same of an idle process, for as long. */
  readonly idleMs: number;
}

export function measureDelay(
  folder: string,
  userData: string,
  contenders: readonly string[],
  sizeBytes: number,
  rounds: number,
): DelayResult[] {
  const warmFile = path.join(folder, "warm.txt");
  const file = path.join(folder, "delay.txt");
  return contenders.map((contender) => {
    makeFile(warmFile, "same length", 4096);
    makeFile(file, "same length", sizeBytes);
    const task = { kind: "delay", contender, userData, file, warmFile, rounds } as const;
    const { worstMs = Number.NaN, idleMs = Number.NaN } = runTask(task);
    rmSync(file);
    return { contender, sizeBytes, rounds, duringEditMs: worstMs, idleMs };
  });
}

export interface CallsResult {
  readonly contender: string;
  readonly sizeBytes: number;
  /** Bytes handed to the system in one edit. */
  readonly writtenBytes: number;
  /** By name, per edit; `undefined` if `strace` is not there. */
  readonly calls: Readonly<Record<string, number>> | undefined;
}

/** Calls that ask for a device flush. `sync_file_range` does not: it only begins to write. */
export const flushCalls: readonly string[] = ["fsync", "fdatasync", "msync"];

/** Counts in two runs that differ in their number of edits, so that starting up falls out. */
export function measureCalls(
  folder: string,
  userData: string,
  contenders: readonly string[],
  sizeBytes: number,
  counts: readonly [few: number, many: number],
): CallsResult[] {
  const file = path.join(folder, `calls-${sizeName(sizeBytes).replace(" ", "-")}.txt`);
  const traces = canRun("strace");
  return contenders.map((contender) => {
    const [few, many] = counts.map((count) => {
      makeFile(file, "same length", sizeBytes);
      const task = { kind: "edits", contender, userData, file, count } as const;
      if (!traces) return { calls: undefined, written: runTask(task).writtenBytes };
      const output = path.join(folder, "strace.txt");
      const tracer = ["strace", "-f", "-c", "-U", "name,calls", "-o", output];
      const { writtenBytes } = runTask(task, tracer);
      return { calls: readCounts(readFileSync(output, "utf8")), written: writtenBytes };
    });
    const edits = counts[1] - counts[0];
    const names = Object.keys(many?.calls ?? {});
    const difference = (name: string): number =>
      ((many?.calls?.[name] ?? 0) - (few?.calls?.[name] ?? 0)) / edits;
    const perEdit = names.map((name) => [name, difference(name)] as const);
    return {
      contender,
      sizeBytes,
      writtenBytes: ((many?.written ?? Number.NaN) - (few?.written ?? Number.NaN)) / edits,
      calls: traces ? Object.fromEntries(perEdit.filter(([, count]) => count >= 0.05)) : undefined,
    };
  });
}

/** The table of `strace -c -U name,calls`. */
export function readCounts(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of text.split("\n")) {
    const [, name = "", count = ""] = /^\s*(\w+)\s+(\d+)\s*$/u.exec(line) ?? [];
    if (name !== "" && name !== "total") counts[name] = Number(count);
  }
  return counts;
}

/** How many of the calls ask for a flush. */
export function flushesOf({ calls }: CallsResult): number {
  if (calls === undefined) return Number.NaN;
  return flushCalls.reduce((sum, name) => sum + (calls[name] ?? 0), 0);
}

/** All calls but those by which threads wait for each other, whose number is chance. */
export function callCountOf({ calls }: CallsResult): number {
  if (calls === undefined) return Number.NaN;
  const chance = new Set([
    "futex",
    "epoll_wait",
    "epoll_pwait",
    "madvise",
    "mprotect",
    "munmap",
    "mmap",
  ]);
  return Object.entries(calls).reduce(
    (sum, [name, count]) => sum + (chance.has(name) ? 0 : count),
    0,
  );
}
