/**
 * Why a text was missed, for the error. Nothing here changes what an edit does: a text that is not
 * there exactly is not replaced, however near another is.
 *
 * R1  Bounded: a text over 2 MiB, a wanted text over 16 Ki characters and lines over 16 Ki
 *     characters are not looked into.
 * R2  A reason is only given if the text would have been found without that difference.
 */
import { type ByteSource, SourceChangedError } from "@fe/journal";
import {
  foldBy,
  foldChoices,
  folds,
  standsAt,
  whiteSpaceDifference,
  withoutLineNumbers,
} from "./folds.ts";
import { maxExplainedBytes, maxExplainedCharacters, maxNearestLines } from "./limits.ts";
import type { NearestLine } from "./match-error.ts";
import { NearLines, shownLine } from "./near-lines.ts";
import { encodeUtf16, indexOfUnit, nameOfOrder, unitBytes } from "./utf16.ts";
import type { WorkMeter } from "./work-meter.ts";

/** What was found out. Every member may be missing. */
export interface MissReport {
  readonly reason?: string;
  readonly hint?: string;
  readonly nearest?: readonly NearestLine[];
}

/** What was looked for, and in what. */
export interface Miss {
  readonly text: ByteSource;
  readonly isUtf8: boolean;
  /** Of the encoding that the request names, if it names one. */
  readonly decode?: (bytes: Uint8Array) => string;
  readonly oldString: string;
  readonly newString: string;
}

/** To fold one character costs about as much as looking at so many bytes. */
const foldCost = 16;

const readAgain = "Read the file again and give the text exactly as it stands there";

/** Looks for reason and near lines of a miss. */
export async function explainMiss(miss: Miss, meter: WorkMeter): Promise<MissReport> {
  if (miss.text.sizeBytes === 0) return { hint: "The file is empty" };
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
  const lines = await linesOf(text, meter);
  const replaced = await alreadyReplaced(miss, text, lines, meter);
  if (replaced !== undefined) return replaced;
  return (await explainByFolds(miss, lines, meter)) ?? (await nearestTo(miss, lines, meter));
}

async function readBytes({ text }: Miss): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(text.sizeBytes);
  if ((await text.read(bytes, 0)) < bytes.length) throw new SourceChangedError(text.sizeBytes);
  return bytes;
}

function textOf({ isUtf8, decode }: Miss, bytes: Buffer): string {
  return decode === undefined ? bytes.toString(isUtf8 ? "utf8" : "latin1") : decode(bytes);
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

const anyBreak = /\r\n|\n|\r/g;

/** The lines without their ends; one that is too long to look into is empty. */
async function linesOf(text: string, meter: WorkMeter): Promise<string[]> {
  const lines: string[] = [];
  let start = 0;
  const take = (end: number) => {
    lines.push(end - start > maxExplainedCharacters ? "" : text.slice(start, end));
  };
  for (const found of text.matchAll(anyBreak)) {
    take(found.index);
    start = found.index + found[0].length;
    const pending = meter.spend(foldCost * 8);
    if (pending !== undefined) await pending;
  }
  take(text.length);
  return lines;
}

/** A new text as short as this is there by chance. */
const leastTellingCharacters = 3;

async function alreadyReplaced(
  { oldString, newString }: Miss,
  text: string,
  lines: readonly string[],
  meter: WorkMeter,
): Promise<MissReport | undefined> {
  if (newString.trim().length < leastTellingCharacters) return undefined;
  // To shorten a text leaves something that was there before, so it proves nothing.
  if (oldString.includes(newString)) return undefined;
  const wanted = newString.split(anyBreak);
  const isOneLine = wanted.length === 1;
  if (isOneLine && !text.includes(newString)) return undefined;
  const [index] = await findAll(lines, wanted, meter);
  if (index === undefined) return undefined;
  return {
    reason: `the new text is already there, at line ${index + 1}`,
    hint: "The edit may have been made before; read the file again",
    nearest: [shownLine(lines[index] ?? "", index + 1)],
  };
}

/** A way to read the wanted text. */
interface Reading {
  readonly wanted: readonly string[];
  /** What was wrong with the text as it was given, if anything. */
  readonly mistake?: string;
  readonly hint: string;
}

function readingsOf(oldString: string): Reading[] {
  const wanted = oldString.split(anyBreak);
  const readings: Reading[] = [{ wanted, hint: readAgain }];
  if (oldString.startsWith("\ufeff")) {
    readings.push({
      wanted: oldString.slice(1).split(anyBreak),
      mistake: "the old text begins with a byte order mark, which is not there",
      hint: "Give the text without it; a byte order mark of the file is kept anyway",
    });
  }
  const bare = withoutLineNumbers(wanted);
  if (bare !== undefined) {
    readings.push({
      wanted: bare,
      mistake: "the old text begins with line numbers, as a listing shows them",
      hint: "Give the text without line numbers",
    });
  }
  if (wanted.length > 1 && wanted.at(-1) === "") {
    readings.push({
      wanted: wanted.slice(0, -1),
      mistake: "the old text ends with a line break that is not there",
      hint: "Give the text without its last line break",
    });
  }
  return readings;
}

async function explainByFolds(
  { oldString }: Miss,
  lines: readonly string[],
  meter: WorkMeter,
): Promise<MissReport | undefined> {
  const folded: string[] = [];
  for (const line of lines) {
    folded.push(line === "" ? "" : foldBy(line, folds));
    const pending = meter.spend(foldCost * (line.length + 8));
    if (pending !== undefined) await pending;
  }
  for (const reading of readingsOf(oldString)) {
    const wanted = reading.wanted.map((line) => foldBy(line, folds));
    if (wanted.every((line) => line === "")) continue;
    const found = await findAll(folded, wanted, meter);
    const [first] = found;
    if (first === undefined) continue;
    const there = lines.slice(first, first + wanted.length);
    const fewest = await differenceOf(there, reading.wanted, meter);
    // Without a mistake in the text the same lines can only have been missed for their ends.
    const difference = fewest ?? (reading.mistake === undefined ? "line ends" : undefined);
    return {
      reason: [reading.mistake, differenceIn(first, there.length, difference)]
        .filter((part) => part !== undefined)
        .join("; "),
      hint: reading.hint,
      nearest: found.map((index) => shownLine(lines[index] ?? "", index + 1)),
    };
  }
  return undefined;
}

function differenceIn(first: number, count: number, difference?: string): string | undefined {
  if (difference === undefined) return undefined;
  return count === 1
    ? `line ${first + 1} differs in ${difference} only`
    : `lines ${first + 1} to ${first + count} differ in ${difference} only`;
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
async function nearestTo(
  { oldString }: Miss,
  lines: readonly string[],
  meter: WorkMeter,
): Promise<MissReport> {
  const longest = oldString
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
