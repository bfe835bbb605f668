/**
 * Why a text was missed, for the error. Nothing here changes what an edit does: a text that is not
 * there exactly is not replaced, however near another is.
 *
 * R1  Bounded: a text over 2 MiB, a wanted text over 16 Ki characters and lines over 16 Ki
 *     characters are not looked into.
 * R2  A reason is only given if the text would have been found without that difference.
 */
import { SourceChangedError } from "@fe/journal";
import { differingIndexes, differingLine } from "./differing.ts";
import { foldBy, foldChoices, folds, standsAt, whiteSpaceDifference } from "./folds.ts";
import { maxExplainedBytes, maxExplainedCharacters, maxNearestLines } from "./limits.ts";
import { lineEndReport } from "./line-end-report.ts";
import {
  foldCost,
  type Looked,
  linesOf,
  type Miss,
  type MissReport,
  textOf,
} from "./missed-text.ts";
import { NearLines, shownLine } from "./near-lines.ts";
import { withNewText } from "./new-text.ts";
import { anyBreak, type Reading, readAgain, readingsOf } from "./readings.ts";
import { encodeUtf16, indexOfUnit, nameOfOrder, unitBytes } from "./utf16.ts";
import type { WorkMeter } from "./work-meter.ts";

/** Nothing can be replaced in it, and an edit only replaces. */
const emptyFile =
  "The file is empty, and an edit only replaces text that is there; write its first text with " +
  "another program";

/** Looks for reason and near lines of a miss. */
export async function explainMiss(miss: Miss, meter: WorkMeter): Promise<MissReport> {
  if (miss.text.sizeBytes === 0) return { hint: emptyFile };
  if (miss.text.sizeBytes > maxExplainedBytes) {
    return { hint: `${readAgain}; it is too large to look for similar lines` };
  }
  if (miss.oldString.length > maxExplainedCharacters) {
    return { hint: `${readAgain}; the old text is too long to look for similar lines` };
  }
  const bytes = await readBytes(miss);
  const wide = spelledInUtf16(miss, bytes);
  if (wide !== undefined) return wide;
  const text = textOf(miss, bytes);
  const looked: Looked = { miss, bytes, text, lines: await linesOf(text, meter) };
  const report = (await explainByFolds(looked, meter)) ?? (await nearestTo(looked, meter));
  return withNewText(report, looked, meter);
}

async function readBytes({ text }: Miss): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(text.sizeBytes);
  if ((await text.read(bytes, 0)) < bytes.length) throw new SourceChangedError(text.sizeBytes);
  return bytes;
}

/** Nobody named an encoding, and the text is there in UTF-16. */
function spelledInUtf16({ oldString, decode }: Miss, bytes: Buffer): MissReport | undefined {
  if (decode !== undefined || bytes.length % unitBytes !== 0) return undefined;
  for (const order of ["le", "be"] as const) {
    if (indexOfUnit(bytes, encodeUtf16(oldString, order)) < 0) continue;
    const name = nameOfOrder(order);
    return {
      reason: `the text is there in ${name}`,
      hint: `If the file is ${name}, name that encoding (\`encoding: "${name}"\`)`,
    };
  }
  return undefined;
}

async function explainByFolds(looked: Looked, meter: WorkMeter): Promise<MissReport | undefined> {
  const { miss, lines } = looked;
  const folded: string[] = [];
  for (const line of lines) {
    folded.push(line === "" ? "" : foldBy(line, folds));
    const pending = meter.spend(foldCost * (line.length + 8));
    if (pending !== undefined) await pending;
  }
  const readings = readingsOf(miss.oldString);
  for (const reading of readings) {
    const wanted = reading.wanted.map((line) => foldBy(line, folds));
    if (wanted.every((line) => line === "")) continue;
    const found = await findAll(folded, wanted, meter);
    if (found.length > 0) return describeFound({ looked, reading, found }, meter);
  }
  const [plain] = readings;
  return plain && (await explainByBlankLines(lines, folded, plain, meter));
}

/** A reading of the wanted text, and where it stands but for what folds make alike. */
interface Found {
  readonly looked: Looked;
  readonly reading: Reading;
  /** Indexes of lines; one at least. */
  readonly found: readonly number[];
}

async function describeFound(
  { looked, reading, found }: Found,
  meter: WorkMeter,
): Promise<MissReport> {
  const { text, lines, miss } = looked;
  const { wanted, mistake } = reading;
  const [first = 0] = found;
  const there = lines.slice(first, first + wanted.length);
  const difference = await differenceOf(there, wanted, meter);
  if (difference === undefined && mistake === undefined) {
    // The same lines can only have been missed for their ends.
    const ends = await lineEndReport(
      { text, oldString: miss.oldString },
      first,
      wanted.length,
      meter,
    );
    return { ...ends, nearest: found.map((index) => shownLine(lines[index] ?? "", index + 1)) };
  }
  const pairs = differingIndexes(there, wanted);
  const differing = pairs.map((index) =>
    differingLine(first + index + 1, there[index] ?? "", wanted[index] ?? ""),
  );
  return {
    reason: [mistake, differenceIn(first, there.length, difference)]
      .filter((part) => part !== undefined)
      .join("; "),
    hint: reading.hint,
    // The first line that differs says more than the first of all.
    nearest: found.map((start) => {
      const at =
        start + (differingIndexes(lines.slice(start, start + wanted.length), wanted)[0] ?? 0);
      return shownLine(lines[at] ?? "", at + 1);
    }),
    ...(differing.length === 0 ? {} : { differing }),
  };
}

function differenceIn(first: number, count: number, difference?: string): string | undefined {
  if (difference === undefined) return undefined;
  return count === 1
    ? `line ${first + 1} differs in ${difference} only`
    : `lines ${first + 1} to ${first + count} differ in ${difference} only`;
}

/** The same lines, if those that are blank do not count. */
async function explainByBlankLines(
  lines: readonly string[],
  folded: readonly string[],
  { wanted: given, hint }: Reading,
  meter: WorkMeter,
): Promise<MissReport | undefined> {
  const full: number[] = [];
  for (const [index, line] of folded.entries()) if (line !== "") full.push(index);
  const wanted = given.filter((line) => foldBy(line, folds) !== "");
  if (wanted.length === 0 || (wanted.length === 1 && given.length === 1)) return undefined;
  const [start] = await findAll(
    full.map((index) => folded[index] ?? ""),
    wanted.map((line) => foldBy(line, folds)),
    meter,
  );
  if (start === undefined) return undefined;
  const places = full.slice(start, start + wanted.length);
  const [first = 0] = places;
  const there = places.map((index) => lines[index] ?? "");
  const difference = await differenceOf(there, wanted, meter);
  const what = difference === undefined ? "blank lines" : `blank lines and ${difference}`;
  return {
    reason: differenceIn(first, (places.at(-1) ?? first) - first + 1, what) ?? "",
    hint,
    nearest: [shownLine(lines[first] ?? "", first + 1)],
  };
}

/** The first places, as indexes of lines. */
async function findAll(
  folded: readonly string[],
  wanted: readonly string[],
  meter: WorkMeter,
): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < folded.length && found.length < maxNearestLines; index++) {
    if (standsAt(folded, index, wanted)) found.push(index);
    const pending = meter.spend(64 + (folded[index]?.length ?? 0));
    if (pending !== undefined) await pending;
  }
  return found;
}

/** The fewest differences that explain the miss, in words. `undefined`: there is none. */
async function differenceOf(
  there: readonly string[],
  wanted: readonly string[],
  meter: WorkMeter,
): Promise<string | undefined> {
  for (const choice of foldChoices) {
    const fold = (line: string) => foldBy(line, choice);
    const pending = meter.spend(foldCost * there.reduce((sum, line) => sum + line.length, 0));
    if (pending !== undefined) await pending;
    if (!standsAt(there.map(fold), 0, wanted.map(fold))) continue;
    if (choice.length === 0) return undefined;
    return choice
      .map(({ difference }) =>
        difference === "white space" && choice.length === 1
          ? whiteSpaceDifference(there, wanted)
          : difference,
      )
      .join(" and ");
  }
  return undefined;
}

/** Lines that resemble the longest line of the wanted text: that one tells most. */
async function nearestTo({ miss, lines }: Looked, meter: WorkMeter): Promise<MissReport> {
  const longest = miss.oldString
    .split(anyBreak)
    .reduce((one, other) => (other.trim().length > one.trim().length ? other : one));
  const near = new NearLines(longest);
  for (const [index, line] of lines.entries()) {
    near.offer(line, index + 1);
    const pending = meter.spend(4 * (line.length + 8));
    if (pending !== undefined) await pending;
  }
  const nearest = near.best();
  return nearest.length > 0 ? { hint: readAgain, nearest } : { hint: readAgain };
}
