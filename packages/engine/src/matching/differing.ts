/** The lines in which a missed text differs from what stands in the file, for the error. */
import { maxDifferingLines, maxNearestCharacters } from "./limits.ts";
import type { DifferingLine } from "./match-error.ts";

/** Whether a line of the file has its part of the wanted text, which may begin or end within it. */
function hasPart(there: string, given: string, index: number, last: number): boolean {
  if (last === 0) return there.includes(given);
  if (index === 0) return there.endsWith(given);
  return index === last ? there.startsWith(given) : there === given;
}

/** Indexes of the lines that differ, at most so many as are shown. */
export function differingIndexes(there: readonly string[], wanted: readonly string[]): number[] {
  const found: number[] = [];
  for (const [index, given] of wanted.entries()) {
    if (found.length === maxDifferingLines) break;
    if (!hasPart(there[index] ?? "", given, index, wanted.length - 1)) found.push(index);
  }
  return found;
}

/** How much of what both have in common is shown before the first difference. */
const leadCharacters = 40;

/** A pair as an error shows it: around the first difference, if it is long. */
export function differingLine(line: number, there: string, given: string): DifferingLine {
  if (there.length <= maxNearestCharacters && given.length <= maxNearestCharacters) {
    return { line, there, given };
  }
  const shift = shiftOf(there, given);
  let same = 0;
  while (same < given.length && given[same] === there[same + shift]) same += 1;
  const from = Math.max(0, same - leadCharacters);
  return { line, there: cut(there, from + shift), given: cut(given, from) };
}

/** Where in the line the given part begins, by its longest word; 0 if that cannot be told. */
function shiftOf(there: string, given: string): number {
  const word = given
    .split(/\s+/)
    .reduce((one, other) => (other.length > one.length ? other : one), "");
  const found = there.indexOf(word.slice(0, leadCharacters));
  return found < 0 ? 0 : Math.max(0, found - given.indexOf(word));
}

/** From there on as much as is shown, whole characters, with `…` where something is left off. */
function cut(text: string, from: number): string {
  const start = /[\udc00-\udfff]/.test(text[from] ?? "") ? from + 1 : from;
  const shown = [...text.slice(start, start + 2 * maxNearestCharacters)];
  const part = shown.slice(0, maxNearestCharacters).join("");
  const isWhole = start + part.length >= text.length;
  return `${start > 0 ? "…" : ""}${part}${isWhole ? "" : "…"}`;
}
