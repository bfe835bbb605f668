/** Judges the places of an old text: are they what they seem, and as many as they must be? */
import type { ByteSource } from "@fe/journal";
import type { TextSoFar } from "./apply-edit.ts";
import { giveEncoding } from "./encode.ts";
import { maxCodecLookBackBytes, maxErrorPositions, maxLookBackBytes } from "./limits.ts";
import type { SearchMode } from "./linear-search.ts";
import { linesAround } from "./lines-around.ts";
import { type EncodedEdit, type LocateContext, labelOf } from "./locate-context.ts";
import {
  MatchError,
  type MatchErrorDetails,
  type MatchPosition,
  type NearestLine,
} from "./match-error.ts";
import { describePositions } from "./positions.ts";
import { RangeReader } from "./range-reader.ts";
import { explainMiss } from "./report.ts";
import { positionsBefore } from "./splices.ts";
import type { TextEdit } from "./text-edit.ts";
import { type FileForm, mayBeSecondHalf } from "./text-form.ts";
import { unitBytes } from "./utf16.ts";

/** What was looked into, and for what. */
export interface Finding {
  readonly context: LocateContext;
  readonly form: FileForm;
  /** The text as earlier edits of the request left it. */
  readonly text: ByteSource;
  readonly soFar: TextSoFar;
  readonly encoded: EncodedEdit;
}

/**
 * How to look for an old text. One that must be unique is counted wherever it begins. With a codec
 * a place may turn out to be none, and must not hide the next one, so these are sorted out
 * afterwards.
 */
export function searchMode({ options }: LocateContext, edit: TextEdit): SearchMode {
  const { codec, maxPlaces } = options;
  const sortsOut = codec?.startsCharacter !== undefined;
  return {
    overlapping: !edit.replaceAll || sortsOut,
    maxHits: maxPlaces + 1,
    stepBytes: codec?.byteOrder === undefined ? 1 : unitBytes,
  };
}

/**
 * The places to replace, of all that were found.
 *
 * Errors: `MatchError` of every kind but `after-too-large`.
 */
export async function judgeHits(
  finding: Finding,
  places: readonly number[],
): Promise<readonly number[]> {
  const { encoded, context } = finding;
  const hits = await sortOut(finding, places);
  const count = hits.length;
  const { index, edit } = encoded;
  const { maxPlaces, requiredCounts } = context.options;
  const label = labelOf(context, index);
  // The search ended before the file did, so what was sorted out says nothing of the rest.
  if (places.length > maxPlaces && count < places.length) {
    throw await failure(finding, hits, {
      kind: "too-many-places",
      message:
        `the bytes of ${label} are there more than ${maxPlaces} times, and not always as ` +
        "characters; so many cannot be told apart",
      countIsAtLeast: true,
      hint: "Replace a longer text",
    });
  }
  if (count === 0) throw await noMatch(finding);
  if (!edit.replaceAll && count > 1) throw await ambiguous(finding, hits);
  if (finding.soFar.places + count > maxPlaces) {
    throw await failure(finding, hits, {
      kind: "too-many-places",
      message: `more than ${maxPlaces} places would be replaced, the most that is possible at once`,
      countIsAtLeast: count > maxPlaces,
      hint: "Replace a longer text, or fewer texts at once",
    });
  }
  if (!edit.replaceAll) return hits;
  for (const expected of [edit.expectedReplacements, requiredCounts?.[index]]) {
    if (expected === undefined || expected === count) continue;
    throw await failure(finding, hits, {
      kind: "count-mismatch",
      message: `${label} is there ${times(count)}, not ${times(expected)}`,
      expected,
      hint: "Read the file again and look at every place",
    });
  }
  return hits;
}

/**
 * Places where a character begins, and of overlapping ones the first, if all are to be replaced.
 */
async function sortOut(finding: Finding, places: readonly number[]): Promise<readonly number[]> {
  const { context, encoded, form } = finding;
  const { codec } = context.options;
  if (codec === undefined) {
    if (!form.isUtf8) await refuseSecondHalves(finding, places);
    return places;
  }
  const { startsCharacter } = codec;
  if (startsCharacter === undefined) return places;
  const hits: number[] = [];
  let end = 0;
  for await (const { place, before } of lookBack(finding, places, maxCodecLookBackBytes)) {
    const lineStart = Math.max(before.lastIndexOf(0x0a), before.lastIndexOf(0x0d)) + 1;
    if (place < end) continue;
    const isWhole = lineStart > 0 || before.length === place;
    const starts = startsCharacter.call(codec, before.subarray(lineStart), isWhole);
    if (starts === undefined) throw await notToBeTold(finding, place);
    if (!starts) continue;
    hits.push(place);
    if (encoded.edit.replaceAll) end = place + encoded.oldBytes.length;
  }
  return hits;
}

function notToBeTold(finding: Finding, place: number): Promise<MatchError> {
  const { context, encoded } = finding;
  return failure(finding, [place], {
    kind: "invalid-encoding",
    message:
      `whether ${labelOf(context, encoded.index)} begins within a character cannot be told: ` +
      `${maxCodecLookBackBytes} bytes before it have no ASCII space, punctuation or line break`,
    hint: "Convert the file to UTF-8 first",
  });
}

async function refuseSecondHalves(finding: Finding, places: readonly number[]): Promise<void> {
  const first = finding.encoded.oldBytes[0] ?? 0;
  for await (const { place, before } of lookBack(finding, places, maxLookBackBytes)) {
    if (!mayBeSecondHalf(first, before, before.length === place)) continue;
    throw await failure(finding, [place], {
      kind: "invalid-encoding",
      message:
        "the file is not UTF-8, and " +
        `${labelOf(finding.context, finding.encoded.index)} may begin within a two-byte character`,
      hint: giveEncoding,
    });
  }
}

/** The bytes before each place, at most so many. Valid until the next one is asked for. */
async function* lookBack(
  { text, context }: Finding,
  places: readonly number[],
  maxBytes: number,
): AsyncGenerator<{ place: number; before: Buffer }> {
  const reader = new RangeReader(text);
  for (const place of places) {
    const read = reader.read(Math.max(0, place - maxBytes), place);
    yield { place, before: Buffer.isBuffer(read) ? read : await read };
    const pending = context.meter.spend(2 * maxBytes);
    if (pending !== undefined) await pending;
  }
}

async function noMatch(finding: Finding): Promise<MatchError> {
  const { context, encoded, form, text } = finding;
  const { oldText: oldString, newText: newString, newBytes } = encoded;
  const { codec, onMiss } = context.options;
  await onMiss?.();
  const decode = codec?.decode?.bind(codec);
  const { stepBytes = 1 } = searchMode(context, encoded.edit);
  const texts = { oldString, newString, newBytes, stepBytes };
  const miss = { text, isUtf8: form.isUtf8, ...texts, ...(decode && { decode }) };
  const report = await explainMiss(miss, context.meter);
  const because = report.reason === undefined ? "" : `: ${report.reason}`;
  return new MatchError({
    kind: "no-match",
    editIndex: encoded.index,
    message: `${labelOf(context, encoded.index)} is not there${because}`,
    ...report,
  });
}

async function ambiguous(finding: Finding, hits: readonly number[]): Promise<MatchError> {
  const { context, encoded } = finding;
  const isCapped = hits.length > context.options.maxPlaces;
  const positions = await describeHits(finding, hits);
  const lines = [...new Set(positions.map(({ line }) => line))];
  const more = hits.length > positions.length ? " and more" : "";
  const count = isCapped ? `more than ${context.options.maxPlaces} times` : times(hits.length);
  return new MatchError({
    kind: "ambiguous",
    editIndex: encoded.index,
    message:
      `${labelOf(context, encoded.index)} is there ${count}, ` +
      `${lines.length === 1 ? "at line" : "at lines"} ${lines.join(", ")}${more}`,
    count: hits.length,
    countIsAtLeast: isCapped,
    positions,
    nearest: await linesOfHits(finding, hits, positions),
    hint: "Give more of the text around the place that you mean, or replace all (`replaceAll`)",
  });
}

async function failure(
  finding: Finding,
  hits: readonly number[],
  details: Omit<MatchErrorDetails, "editIndex" | "count" | "positions">,
): Promise<MatchError> {
  const positions = await describeHits(finding, hits);
  return new MatchError({
    ...(details.kind === "count-mismatch"
      ? { nearest: await linesOfHits(finding, hits, positions) }
      : {}),
    ...details,
    editIndex: finding.encoded.index,
    count: hits.length,
    positions,
  });
}

/** The first lines in which a text is; not of a text that earlier edits changed already. */
async function linesOfHits(
  { text, soFar, form, context }: Finding,
  hits: readonly number[],
  positions: readonly MatchPosition[],
): Promise<readonly NearestLine[] | undefined> {
  if (soFar.splices.length > 0) return undefined;
  const decode = context.options.codec?.decode?.bind(context.options.codec);
  const places = hits.map((place, index) => ({ place, line: positions[index]?.line }));
  return linesAround({ text, isUtf8: form.isUtf8, ...(decode && { decode }) }, places);
}

function describeHits(
  { context, form, soFar }: Finding,
  hits: readonly number[],
): Promise<MatchPosition[]> {
  const offsets = positionsBefore(soFar.splices, hits.slice(0, maxErrorPositions));
  const { source, sizes, meter } = context;
  return describePositions(source, offsets, form, sizes.chunkBytes, meter);
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
