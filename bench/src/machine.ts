/** Where and when it was measured. */
import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { threeDigits } from "./statistics.ts";

export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly filesystem: string;
  readonly node: string;
  /** Processes that wanted to run, one minute's mean, at the beginning and at the end. */
  readonly loadAtStart: number;
  readonly loadAtEnd: number;
}

/** `ext4`; or what may be wrong with asking. */
function filesystemOf(folder: string): string {
  try {
    const format = ["--file-system", "--format=%T", folder];
    const name = execFileSync("stat", format, { encoding: "utf8" }).trim();
    // `stat` has one name for three that share a magic number; the mount table knows which.
    if (name !== "ext2/ext3") return name;
    const found = execFileSync("findmnt", ["--noheadings", "--output=FSTYPE", "--target", folder]);
    return found.toString().trim();
  } catch {
    return "unknown";
  }
}

/** Facts of now; the end is filled in by {@link finishMachine}. */
export function describeMachine(folder: string): Machine {
  const [processor] = cpus();
  const load = loadavg()[0] ?? Number.NaN;
  return {
    date: new Date().toISOString(),
    processor: processor?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    filesystem: filesystemOf(folder),
    node: process.version,
    loadAtStart: load,
    loadAtEnd: load,
  };
}

export function finishMachine(machine: Machine): Machine {
  return { ...machine, loadAtEnd: loadavg()[0] ?? Number.NaN };
}

/** One sentence for a page. */
export function machineText(machine: Machine): string {
  const { processor, cores, memoryGiB, kernel, filesystem, node, date } = machine;
  const load = `${threeDigits(machine.loadAtStart)} to ${threeDigits(machine.loadAtEnd)}`;
  return (
    `${cores} cores (${processor}), ${memoryGiB} GiB, ${kernel}, ${filesystem}, Node ${node}, ` +
    `${date.slice(0, 10)}; load average ${load}`
  );
}
