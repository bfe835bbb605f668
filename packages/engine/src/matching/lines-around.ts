/** The lines in which places of a text are, as an error shows them. */
import { maxNearestCharacters, maxNearestLines } from "./limits.ts";
import type { NearestLine } from "./match-error.ts";
import { type Readable, textOf } from "./missed-text.ts";
import { shownLine } from "./near-lines.ts";
import { RangeReader } from "./range-reader.ts";

/** Even, so that a unit of UTF-16 is not cut. No character has more than four bytes. */
const aroundBytes: number = 4 * maxNearestCharacters;

/** How much of the line is shown before the place, in characters. */
const leadCharacters = 60;

/** The first lines, each once. A place of which the line is not known is left out. */
export async function linesAround(
  readable: Readable,
  places: ReadonlyArray<{ readonly place: number; readonly line: number | undefined }>,
): Promise<NearestLine[]> {
  const reader = new RangeReader(readable.text);
  const shown = new Map<number, NearestLine>();
  for (const { place, line } of places) {
    if (line === undefined || shown.size === maxNearestLines) break;
    if (shown.has(line)) continue;
    const start = Math.max(0, place - aroundBytes);
    const end = Math.min(readable.text.sizeBytes, place + aroundBytes);
    const bytes = await reader.read(start, end);
    const before = textOf(readable, bytes.subarray(0, place - start));
    const after = textOf(readable, bytes.subarray(place - start));
    const lead = (/[^\r\n]*$/.exec(before.slice(-2 * maxNearestCharacters)) ?? [""])[0];
    const isWhole = lead.length <= leadCharacters;
    const [rest = ""] = after.split(/[\r\n]/, 1);
    const text = isWhole ? lead : `…${[...lead].slice(-leadCharacters).join("")}`;
    shown.set(line, shownLine(text + rest, line));
  }
  return [...shown.values()];
}
