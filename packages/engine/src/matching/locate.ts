/**
 * Where the old texts of a request stand in a file, as splices of its bytes.
 *
 * M1  Nothing outside the replaced ranges is read into characters, or appears in a splice.
 * M2  The whole file is always read: a text is unique only if the rest does not hold it.
 * M3  Edits are applied in order to the text so far; all of them, or none.
 * M4  An old text is there exactly, or it is not there. Nothing is taken for it because it is
 *     similar.
 * M5  A file is never held whole unless it is small, and no step blocks for long.
 *
 * The style of a file's line ends is known only at its end, so the first pass looks for the first
 * old text in every spelling that it can have; the others are looked for in passes of their own.
 *
 * `hits.ts` judges what was found, `report.ts` what was not.
 */
import {
  afterSource,
  type ByteSource,
  bytesSource,
  SourceChangedError,
  type Splice,
} from "@fe/journal";
import { applyEdit, type TextSoFar } from "./apply-edit.ts";
import { encodeEdit, encodeText, refuseEncoding } from "./encode.ts";
import { codecFor, refuseWideMark } from "./file-encoding.ts";
import { FileExaminer } from "./file-examiner.ts";
import { judgeHits, searchMode } from "./hits.ts";
import { defaultSizes, type LocateSizes, maxReportedMatches } from "./limits.ts";
import { hasLineBreak, inStyle, type LineStyle, uniformStyles } from "./line-endings.ts";
import type { EncodedEdit, LocateContext, LocateOptions } from "./locate-context.ts";
import type { MatchPosition } from "./match-error.ts";
import { NeedleSearch } from "./needle-search.ts";
import { dropUnchanged } from "./normalise.ts";
import { describePositions } from "./positions.ts";
import { scan } from "./scan.ts";
import { type AfterInMemory, smallImages } from "./small-images.ts";
import { positionsBefore } from "./splices.ts";
import type { TextEdit } from "./text-edit.ts";
import type { ByteOrder, FileForm } from "./text-form.ts";
import { type UnifiedDiff, unifiedDiff } from "./unified-diff.ts";
import { unitBytes } from "./utf16.ts";
import { WorkMeter } from "./work-meter.ts";

export type { LocateOptions } from "./locate-context.ts";
export { MatchError, type MatchPosition } from "./match-error.ts";
export type { TextEdit } from "./text-edit.ts";

/** Where the edits go, and what the file is like. */
export interface Located {
  /**
   * All edits as one change of the before-image: sorted, disjoint, none touching another, without
   * bytes at either end that are there already. Empty: the file stays as it is, though the texts
   * were found.
   */
  readonly splices: readonly Splice[];
  /** How many places were replaced, over all edits. */
  readonly replacements: number;
  /** The same of each edit. */
  readonly matchCounts: readonly number[];
  /** The first 1000 places, edit by edit, ascending in each. */
  readonly matches: readonly MatchPosition[];
  readonly matchesTruncated: boolean;
  /**
   * How lines end in the file. With `lineEndings: "match-file"` and one style throughout, both
   * texts were taken in that style; else as they were given. `not-examined`: no text has a line
   * break and the file is large.
   */
  readonly lineEndings: LineStyle | "not-examined";
  /** With `lineEndings: "exact"`: a new text has other line breaks than the whole file. */
  readonly mixesLineEnds: boolean;
  /** SHA-256 of the file in hex, or what {@link LocateOptions.newSum} makes of it. */
  readonly beforeSum: string;
  /** The after-image, if both versions are small. */
  readonly after: AfterInMemory | undefined;
  /** If the file was searched as UTF-16. */
  readonly byteOrder?: ByteOrder;
  /** If one was asked for. */
  readonly diff?: UnifiedDiff;
}

/**
 * Locates every edit. The request must be valid (`validateEdits`); nothing is written.
 *
 * Blocks never for more than some milliseconds. Reads the whole source once, once more up to the
 * last match for its line, and the text so far once for every further edit.
 *
 * Errors: `MatchError`; `SourceChangedError` if the source ends early; the signal's reason;
 * whatever `before.read` throws.
 */
export function locate(
  before: ByteSource,
  edits: readonly TextEdit[],
  options: LocateOptions,
): Promise<Located> {
  return locateBySizes(before, edits, options, defaultSizes);
}

/** {@link locate} with sizes of a test. */
export async function locateBySizes(
  before: ByteSource,
  edits: readonly TextEdit[],
  options: LocateOptions,
  sizes: LocateSizes,
): Promise<Located> {
  const meter = new WorkMeter(options.signal);
  meter.throwIfAborted();
  const source = await bufferIfSmall(before, sizes);
  const codec = await codecFor(source, options.codec);
  const settled = codec === undefined ? options : { ...options, codec };
  const context: LocateContext = { source, edits, options: settled, sizes, meter };
  const { form, found } = await firstPass(context);
  refuseEncoding(context, form);
  const offsets: number[] = [];
  const matchCounts: number[] = [];
  let soFar: TextSoFar = { splices: [], sizeBytes: source.sizeBytes, places: 0 };
  for (const [index, edit] of edits.entries()) {
    const encoded = encodeEdit(context, index, edit, form);
    const text = index === 0 ? source : afterSource(source, soFar.splices);
    const places =
      index === 0 ? found(encoded) : await searchAll(context, text, encoded.oldBytes, edit);
    const hits = await judgeHits({ context, form, soFar, text, encoded }, places);
    const reported = hits.slice(0, maxReportedMatches - offsets.length);
    offsets.push(...positionsBefore(soFar.splices, reported));
    matchCounts.push(hits.length);
    soFar = await applyEdit(context, form, soFar, encoded, hits);
  }
  const { byteOrder } = form;
  const step = byteOrder === undefined ? 1 : unitBytes;
  const splices =
    edits.length === 1 ? soFar.splices : await dropUnchanged(source, soFar.splices, meter, step);
  const { bytes = new Uint8Array() } = source;
  const images =
    form.sum === undefined
      ? await smallImages(bytes, splices, sizes, meter)
      : { beforeSum: form.sum, after: undefined };
  const { diffPath } = options;
  const diff =
    diffPath === undefined
      ? undefined
      : await unifiedDiff(source, splices, { path: diffPath, byteOrder }, meter);
  return {
    splices,
    replacements: soFar.places,
    matchCounts,
    matches: await describePositions(source, offsets, form, sizes.chunkBytes, meter),
    matchesTruncated: soFar.places > offsets.length,
    lineEndings: form.lineStyle,
    mixesLineEnds:
      options.lineEndings === "exact" &&
      edits.some(({ newString }) => inStyle(newString, form.lineStyle) !== newString),
    ...images,
    ...(byteOrder === undefined ? {} : { byteOrder }),
    ...(diff === undefined ? {} : { diff }),
  };
}

async function bufferIfSmall(before: ByteSource, sizes: LocateSizes): Promise<ByteSource> {
  const { sizeBytes, bytes: inMemory } = before;
  if (inMemory !== undefined || sizeBytes > sizes.bufferedBytes) return before;
  const bytes = Buffer.allocUnsafe(sizeBytes);
  if ((await before.read(bytes, 0)) < sizeBytes) throw new SourceChangedError(sizeBytes);
  return bytesSource(bytes);
}

/** Up to this size a file's line ends are looked at even if no text has a line break. */
const examinedBytes = 1024 * 1024;

interface FirstPass {
  readonly form: FileForm;
  /** Where the old text of the first edit stands. */
  readonly found: (encoded: EncodedEdit) => readonly number[];
}

/** The one pass that reads everything: what the file is like, and where the first old text is. */
async function firstPass(context: LocateContext): Promise<FirstPass> {
  const { source, edits, options, sizes, meter } = context;
  const translates = options.lineEndings === "match-file";
  const hasBreaks = edits.some(
    (edit) => hasLineBreak(edit.oldString) || hasLineBreak(edit.newString),
  );
  const examiner = new FileExaminer({
    examinesLines: (translates && hasBreaks) || source.sizeBytes <= examinedBytes,
    isInMemory: source.bytes !== undefined,
    byteOrder: options.codec?.byteOrder,
    sum: options.newSum?.(),
  });
  const searches = new Map<string, NeedleSearch>();
  const [edit] = edits;
  if (edit !== undefined) {
    for (const text of translates ? spellingsOf(edit.oldString) : [edit.oldString]) {
      const bytes = encodeText(context, 0, text);
      searches.set(text, new NeedleSearch(bytes, searchMode(context, edit), sizes, meter));
    }
  }
  const refuseMark = (): void => {
    if (options.codec?.byteOrder === undefined) refuseWideMark(examiner.start, options.codec);
  };
  let isFirst = true;
  const onChunk = (chunk: Buffer) => {
    examiner.feed(chunk);
    if (isFirst) refuseMark();
    isFirst = false;
  };
  await scan(source, [...searches.values()], onChunk, sizes, meter);
  refuseMark();
  const form = examiner.form();
  const positions = new Map<string, readonly number[]>();
  for (const [text, search] of searches) positions.set(text, await search.finish(source));
  return { form, found: ({ oldText }) => positions.get(oldText) ?? [] };
}

/** Every way in which a text can be spelled in a file, each once. */
function spellingsOf(text: string): Set<string> {
  return new Set([text, ...uniformStyles.map((style) => inStyle(text, style))]);
}

/**
 * Text of many pieces takes far longer to put together than to search, so less of it is read at
 * once.
 */
const patchedBytes = 256 * 1024;

async function searchAll(
  context: LocateContext,
  text: ByteSource,
  needle: Uint8Array,
  edit: TextEdit,
): Promise<readonly number[]> {
  const { meter } = context;
  const sizes = { ...context.sizes, chunkBytes: Math.min(context.sizes.chunkBytes, patchedBytes) };
  const search = new NeedleSearch(needle, searchMode(context, edit), sizes, meter);
  await scan(text, [search], undefined, sizes, meter);
  return search.finish(text);
}
