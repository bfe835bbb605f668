/**
 * Step 7: read the bytes of the target through its handle, and locate the edit in them.
 */
import { afterSource, type ByteSource, bytesSource, maxPlaces } from "@fe/journal";
import type { TargetFile } from "@fe/native";
import { fileSource, hashOf } from "../bytes.ts";
import { type Located, locate } from "../matching/locate.ts";
import { MatchError } from "../matching/match-error.ts";
import { locateWhole } from "../matching/whole.ts";
import { fromOs } from "../os-failure.ts";
import { aborted } from "./abort.ts";
import type { TransactionContext } from "./context.ts";
import { versionLimit } from "./identify.ts";
import { contentChanged, matchFailure } from "./miss.ts";
import { ReadingTags } from "./reading-tags.ts";
import type { Baseline, HeldTarget, MatchedEdit } from "./states.ts";

/** A target up to this size is read into memory once; a larger one is read in chunks, twice. */
const inMemoryBytes: number = 8 * 1024 * 1024;

/** What an earlier reading of this edit fixed for all later ones. */
export interface EarlierReading {
  readonly baseline: Baseline;
  /** Matches per edit; `replaceAll` needs them again (S7). */
  readonly matchCounts: readonly number[] | undefined;
}

/**
 * Errors: those of a match; `FE_CONTENT_CHANGED` if an earlier reading had found the text. A miss
 * lets others in before it is explained. The handle stays with the caller.
 */
export async function matchEdit(
  context: TransactionContext,
  held: HeldTarget,
  earlier: EarlierReading | undefined,
): Promise<MatchedEdit> {
  const { file, sizeBytes, exclusion } = held;
  const { path } = held.settled.queued.identified.open.resolved;
  try {
    context.progress.begin("match", sizeBytes);
    const { before, inMemory } = await readTarget(context, file, sizeBytes);
    const onMiss = (): Promise<void> => exclusion.end();
    let tags = inMemory ? undefined : await tagsFor(context);
    let located = await locateIn(context, path, before, { earlier, onMiss, tags });
    if (tags !== undefined && located.splices.length === 0) {
      // There will be no record, and so no SHA-256 for the answer but that of another reading.
      tags = undefined;
      located = await locateIn(context, path, before, { earlier, onMiss });
    }
    context.progress.complete();
    const after = located.after
      ? bytesSource(located.after.bytes)
      : afterSource(before, located.splices);
    return { ...held, state: "matched", before, inMemory, located, tags, after };
  } catch (error) {
    throw fromOs(error, { path, action: "read" });
  }
}

/**
 * What is not kept in memory is read again for the record, which takes its SHA-256. Unless somebody
 * wants to know it before that, a tag does to tell whether the two readings are the same.
 */
async function tagsFor({
  os,
  options,
  request,
}: TransactionContext): Promise<ReadingTags | undefined> {
  const isWanted = options.beforeCommit !== undefined || request.expectedSha256 !== undefined;
  return isWanted ? undefined : ReadingTags.draw(os);
}

async function readTarget(
  { progress, request: { path } }: TransactionContext,
  file: TargetFile,
  sizeBytes: number,
): Promise<{ before: ByteSource; inMemory: boolean }> {
  if (sizeBytes > inMemoryBytes) {
    return { before: progress.of(fileSource(file, sizeBytes)), inMemory: false };
  }
  const bytes = Buffer.allocUnsafe(sizeBytes);
  const count = await file.read(bytes, 0);
  if (count !== sizeBytes) throw contentChanged(path, "it became shorter while it was read");
  return { before: bytesSource(bytes), inMemory: true };
}

/** What a reading is in an edit; a preview has neither. */
interface ReadingInEdit {
  readonly earlier?: EarlierReading | undefined;
  /** Called before the reasons of a miss are looked for. */
  readonly onMiss?: (() => Promise<void>) | undefined;
  /** Make the sum of the file in place of SHA-256; not where one is expected. */
  readonly tags?: ReadingTags | undefined;
}

/** Locates the edit; what a miss means depends on whether it was found before. */
export async function locateIn(
  context: TransactionContext,
  path: string,
  before: ByteSource,
  reading: ReadingInEdit,
): Promise<Located> {
  const { earlier, onMiss } = reading;
  const { expectedSha256 } = context.request;
  const { signal } = context.edit;
  try {
    const located = await locateRequest(context, path, before, reading);
    if (expectedSha256 !== undefined && located.beforeSum !== expectedSha256) {
      throw contentChanged(path, `its SHA-256 is ${located.beforeSum}`);
    }
    return located;
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw aborted(path, error);
    if (!(error instanceof MatchError)) throw error;
    await onMiss?.();
    if (expectedSha256 !== undefined) {
      const found = await hashOf(before);
      if (found !== expectedSha256) throw contentChanged(path, `its SHA-256 is ${found}`);
    }
    throw matchFailure(path, error, context.options, earlier?.matchCounts !== undefined);
  }
}

function locateRequest(
  context: TransactionContext,
  path: string,
  before: ByteSource,
  { earlier, onMiss, tags }: ReadingInEdit,
): Promise<Located> {
  const { edits, lineEndings, codec, isEncodingNamed, whole } = context.request;
  const { signal, diff } = context.edit;
  const options = {
    ...(diff === true ? { diffPath: path } : {}),
    ...(signal === undefined ? {} : { signal }),
    ...(tags === undefined ? {} : { newSum: () => tags.newTag() }),
  };
  if (whole !== undefined) return locateWhole(before, whole.bytes, options);
  return locate(before, edits, {
    ...options,
    lineEndings,
    isEncodingNamed,
    maxAfterBytes: versionLimit(context.options).maxBytes,
    maxPlaces,
    ...(codec === undefined ? {} : { codec }),
    ...(earlier?.matchCounts === undefined ? {} : { requiredCounts: earlier.matchCounts }),
    ...(onMiss === undefined ? {} : { onMiss }),
  });
}
