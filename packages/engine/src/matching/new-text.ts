/**
 * Whether the new text of a missed one is there: a remark and never a success, since the text may
 * always have been there.
 */
import { bytesSource } from "@fe/journal";
import { defaultSizes, maxNearestLines } from "./limits.ts";
import { type Looked, linesOf, type MissReport, textOf } from "./missed-text.ts";
import { shownLine } from "./near-lines.ts";
import { NeedleSearch } from "./needle-search.ts";
import { readAgain } from "./readings.ts";
import { scan } from "./scan.ts";
import type { WorkMeter } from "./work-meter.ts";

/** A new text as short as this is there by chance. */
const leastTellingCharacters = 3;

/**
 * The line at which the new text stands, to the byte. It proves nothing: the text may always have
 * been there.
 */
async function lineOfNewText(
  { miss, bytes }: Looked,
  meter: WorkMeter,
): Promise<number | undefined> {
  const { oldString, newString, newBytes, stepBytes = 1 } = miss;
  if (newString.trim().length < leastTellingCharacters) return undefined;
  // To shorten a text leaves something that was there before.
  if (oldString.includes(newString)) return undefined;
  const mode = { overlapping: false, maxHits: 1, stepBytes };
  const search = new NeedleSearch(newBytes, mode, defaultSizes, meter);
  const source = bytesSource(bytes);
  await scan(source, [search], undefined, defaultSizes, meter);
  const [place] = await search.finish(source);
  if (place === undefined) return undefined;
  // In an encoding of two bytes these may be halves of other characters.
  const upTo = textOf(miss, bytes.subarray(0, place + newBytes.length));
  if (!upTo.endsWith(newString)) return undefined;
  const before = upTo.slice(0, upTo.length - newString.length);
  return (await linesOf(before, meter)).length;
}

/** The report with what is to be said of a new text that is there. */
export async function withNewText(
  report: MissReport,
  looked: Looked,
  meter: WorkMeter,
): Promise<MissReport> {
  const line = await lineOfNewText(looked, meter);
  if (line === undefined) return report;
  const { reason, hint = readAgain, nearest = [] } = report;
  if (reason !== undefined) {
    const remark = `the new text stands at line ${line}`;
    return { ...report, hint: `${hint}; ${remark}, but that does not show that the edit was made` };
  }
  const others = nearest.filter((near) => near.line !== line);
  return {
    ...report,
    reason: `the new text is there, at line ${line}, which does not show that this edit was made`,
    hint: "Read the file again: the edit may have been made before, or that text was always there",
    nearest: [shownLine(looked.lines[line - 1] ?? "", line), ...others].slice(0, maxNearestLines),
  };
}
