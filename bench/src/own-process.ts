/** What Linux says of this process; elsewhere what Node knows, which is less exact. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const folder = "/proc/self";

function numberIn(file: string, name: string): number | undefined {
  try {
    const line = readFileSync(`${folder}/${file}`, "utf8")
      .split("\n")
      .find((text) => text.startsWith(`${name}:`));
    return line === undefined ? undefined : Number.parseInt(line.slice(name.length + 1), 10);
  } catch {
    return undefined;
  }
}

export function residentBytes(): number {
  const kibibytes = numberIn("status", "VmRSS");
  return kibibytes === undefined ? process.memoryUsage.rss() : kibibytes * 1024;
}

/** Since {@link resetPeak}; where there is none, since the process began. */
export function peakResidentBytes(): number {
  const kibibytes = numberIn("status", "VmHWM") ?? process.resourceUsage().maxRSS;
  return kibibytes * 1024;
}

export function resetPeak(): void {
  // 5 resets the peak (proc_pid_clear_refs(5)).
  if (existsSync(`${folder}/clear_refs`)) writeFileSync(`${folder}/clear_refs`, "5");
}

/** Bytes handed to `write` and its like. */
export function writtenBytes(): number {
  return numberIn("io", "wchar") ?? Number.NaN;
}

/** Processor time of all children that have ended, in milliseconds; `NaN` where nobody knows. */
export function childrenProcessorMs(): number {
  try {
    const text = readFileSync(`${folder}/stat`, "utf8");
    // The name in parentheses may hold spaces; state is the field after it, cutime and cstime the
    // 14th and 15th from there, in ticks of 10 ms.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}
