/** Which lines end in another way than a missed text has it. */
import { maxDifferingLines } from "./limits.ts";
import { anyBreak } from "./readings.ts";
import type { WorkMeter } from "./work-meter.ts";

const names: Readonly<Record<string, string>> = { "\n": "LF", "\r\n": "CR LF", "\r": "CR" };

/** To go past one line break costs about as much as looking at so many bytes. */
const breakCost = 128;

/** How `count` lines from `first` (from 0) end; the last of all lines has no end. */
async function lineEndsOf(
  text: string,
  first: number,
  count: number,
  meter: WorkMeter,
): Promise<string[]> {
  const ends: string[] = [];
  let index = 0;
  for (const [end] of text.matchAll(anyBreak)) {
    if (index >= first) ends.push(end);
    index += 1;
    if (ends.length === count) break;
    const pending = meter.spend(breakCost);
    if (pending !== undefined) await pending;
  }
  return ends;
}

/** Reason and hint of a text of `count` lines that stands at line `first` but for line ends. */
export async function lineEndReport(
  { text, oldString }: { readonly text: string; readonly oldString: string },
  first: number,
  count: number,
  meter: WorkMeter,
): Promise<{ readonly reason: string; readonly hint: string }> {
  const there = await lineEndsOf(text, first, count - 1, meter);
  const given = await lineEndsOf(oldString, 0, count - 1, meter);
  const told: string[] = [];
  for (const [index, end] of there.entries()) {
    const other = given[index] ?? "";
    if (end === other || told.length === maxDifferingLines) continue;
    told.push(`line ${first + index + 1} ends in ${names[end]}, not ${names[other]}`);
  }
  const lines =
    count === 1 ? `line ${first + 1} differs` : `lines ${first + 1} to ${first + count} differ`;
  return {
    reason: `${lines} in line ends only${told.length === 0 ? "" : `: ${told.join(", ")}`}`,
    hint:
      "Give each line end as it is in the file (LF is \\n, CR LF is \\r\\n), " +
      "or replace line by line, without line ends",
  };
}
