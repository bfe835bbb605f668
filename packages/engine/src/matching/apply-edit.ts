/** The text so far, and how it goes on with one more edit. */
import type { Splice } from "@fe/journal";
import { byteCount } from "../bytes.ts";
import type { EncodedEdit, LocateContext } from "./locate-context.ts";
import { MatchError } from "./match-error.ts";
import { composeInSteps, trimEnds } from "./splices.ts";
import type { FileForm } from "./text-form.ts";
import { unitBytes } from "./utf16.ts";

/** What earlier edits of the request made of the file. */
export interface TextSoFar {
  /** In before-image coordinates. */
  readonly splices: readonly Splice[];
  readonly sizeBytes: number;
  /** How many places were replaced. */
  readonly places: number;
}

/** Making, or going past, one splice costs about as much as looking at so many bytes. */
const spliceCost = 128;

/**
 * Replaces the old text at `hits`, which are ascending and do not overlap.
 *
 * Errors: `MatchError` of kind `after-too-large`, before anything is made.
 */
export async function applyEdit(
  context: LocateContext,
  form: FileForm,
  soFar: TextSoFar,
  encoded: EncodedEdit,
  hits: readonly number[],
): Promise<TextSoFar> {
  const { meter } = context;
  const { oldBytes, newBytes } = encoded;
  // How much of the new text the file has already, as its byte order mark.
  const { bom } = form;
  const isAfterBom = bom !== undefined && hits[0] === bom.length;
  const repeated = isAfterBom && wouldDoubleBom(bom, soFar.splices, encoded) ? bom.length : 0;
  const growth = hits.length * (newBytes.length - oldBytes.length);
  const sizeBytes = soFar.sizeBytes + growth - repeated;
  refuseSize(context, encoded.index, sizeBytes);
  const step = form.byteOrder === undefined ? 1 : unitBytes;
  const usual = trimEnds(oldBytes, newBytes, step);
  const made: Splice[] = [];
  let trimmed = repeated > 0 ? trimEnds(oldBytes, newBytes.subarray(repeated), step) : usual;
  let end = -1;
  let touch = false;
  for (const hit of hits) {
    const { skipBytes, removedBytes, inserted } = trimmed;
    trimmed = usual;
    if (removedBytes === 0 && inserted.length === 0) continue;
    const offsetBytes = hit + skipBytes;
    touch ||= offsetBytes === end;
    end = offsetBytes + removedBytes;
    made.push({ offsetBytes, removedBytes, inserted });
    const pending = meter.spend(spliceCost);
    if (pending !== undefined) await pending;
  }
  // Nothing to put together, as in most edits.
  const isAlone = soFar.splices.length === 0 && !touch;
  const splices = isAlone ? made : await compose(context, soFar.splices, made);
  return { splices, sizeBytes, places: soFar.places + hits.length };
}

async function compose(
  { meter }: LocateContext,
  first: readonly Splice[],
  second: readonly Splice[],
): Promise<readonly Splice[]> {
  const steps = composeInSteps(first, second);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const pending = meter.spend(step.value * spliceCost);
    if (pending !== undefined) await pending;
  }
}

/**
 * Whether the new text would put a second byte order mark behind that of the file: programs that
 * read a file with its mark repeat it in what they write, though they left it out of the old text.
 */
function wouldDoubleBom(
  bom: Buffer,
  splices: readonly Splice[],
  { oldBytes, newBytes }: EncodedEdit,
): boolean {
  const isStillThere = (splices[0]?.offsetBytes ?? bom.length) >= bom.length;
  const beginsSo = (bytes: Uint8Array): boolean => bom.equals(bytes.subarray(0, bom.length));
  return isStillThere && beginsSo(newBytes) && !beginsSo(oldBytes);
}

/** What edits leave on the way to the result may be so many times as large as that. */
const intermediateFactor = 2;

function refuseSize({ edits, options }: LocateContext, index: number, sizeBytes: number): void {
  const isLast = index === edits.length - 1;
  const limit = options.maxAfterBytes * (isLast ? 1 : intermediateFactor);
  if (sizeBytes <= limit) return;
  const what = isLast ? "the result" : `the text after edit ${index + 1}`;
  throw new MatchError({
    kind: "after-too-large",
    editIndex: index,
    message:
      `${what} would have ${byteCount(sizeBytes)}, ` + `more than the limit of ${byteCount(limit)}`,
    afterSizeBytes: sizeBytes,
    hint: "Replace by less, or raise the limit if it is not that of the recovery store",
  });
}
