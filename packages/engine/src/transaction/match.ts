/**
 * Step 6: open the object once for reading and writing, take the baseline from that handle, read
 * the bytes, and locate the edit in them. The handle is kept to the end.
 */
import { type ByteSource, bytesSource, maxPlaces, recordKey } from "@fe/journal";
import { type FileIdentity, hasCode, sameFile, type TargetFile } from "@fe/native";
import { fileSource, hashOf } from "../bytes.ts";
import { FeError } from "../errors.ts";
import { type Located, locate } from "../matching/locate.ts";
import { MatchError } from "../matching/match-error.ts";
import { locateWhole } from "../matching/whole.ts";
import { fromOs } from "../os-failure.ts";
import { busy } from "../recovery/refusals.ts";
import { aborted } from "./abort.ts";
import { checkHandle, checkPath } from "./baseline.ts";
import type { TransactionContext } from "./context.ts";
import { refuseUnsuitable, versionLimit } from "./identify.ts";
import { contentChanged, matchFailure } from "./miss.ts";
import type { Baseline, MatchedEdit, OpenTarget, SettledTarget } from "./states.ts";

/** A target up to this size is read into memory once; a larger one is read in chunks, twice. */
const inMemoryBytes: number = 8 * 1024 * 1024;

/** What an earlier reading of this edit fixed for all later ones. */
export interface EarlierReading {
  readonly baseline: Baseline;
  /** Matches per edit; `replaceAll` needs them again (S7). */
  readonly matchCounts: readonly number[] | undefined;
}

/** The step's answer; `moved` says that opening for writing gave the file another identity. */
export type MatchOutcome = MatchedEdit | { readonly state: "moved"; readonly key: string };

/**
 * Errors: `FE_BUSY` (a lease, a running program), `FE_PERMISSION_DENIED`, those of a match; on a
 * later reading `FE_CONTENT_CHANGED` and what the baseline says. On failure the handle is closed;
 * the key lock stays with the caller.
 */
export async function matchEdit(
  context: TransactionContext,
  settled: SettledTarget,
  earlier: EarlierReading | undefined,
): Promise<MatchOutcome> {
  const { open } = settled.queued.identified;
  const { path } = open.resolved;
  const file = await openForWriting(open, earlier !== undefined);
  try {
    const status = await file.status();
    const key = recordKey(status.identity, open.resolved.realPath);
    if (earlier === undefined && key !== settled.queued.key) {
      await file.close();
      return { state: "moved", key };
    }
    refuseUnsuitable(path, status, context.options);
    const baseline = earlier?.baseline ?? {
      target: status.identity,
      // Asked again: on overlayfs, opening for writing copied the directory up as well.
      parent: (await open.parent.status()).identity,
      permission: status.permission,
    };
    refuseOther(context, path, status.identity);
    if (earlier !== undefined) {
      await checkPath(context.os, open.resolved, baseline);
      await checkHandle(open.resolved, baseline, file, "before-mutation");
    }
    const { before, inMemory } = await readTarget(path, file, status.sizeBytes);
    const located = await locateIn(context, path, before, earlier);
    return { state: "matched", settled, baseline, file, before, inMemory, located };
  } catch (error) {
    await file.close();
    throw fromOs(error, { path, action: "read" });
  }
}

/** A whole content belongs into the file that it was taken from, and no other. */
function refuseOther({ request }: TransactionContext, path: string, found: FileIdentity): void {
  const { whole } = request;
  // `st_dev` counts within one boot only, and the note does not say in which it was written.
  if (whole === undefined || sameFile(whole.target, found, { sameBoot: false })) return;
  const message = `Cannot edit "${path}": it is another file than the one that was resolved`;
  throw new FeError("FE_TARGET_REPLACED", message, {
    path,
    hint: "Put the saved bytes in place yourself, if you still mean it",
  });
}

async function openForWriting(open: OpenTarget, seenBefore: boolean): Promise<TargetFile> {
  const { path } = open.resolved;
  try {
    return await open.target.openForWriting();
  } catch (error) {
    if (hasCode(error, "EAGAIN")) throw busy(path, "another program holds a lease on it");
    if (hasCode(error, "EBUSY")) throw busy(path, "another program keeps writers out of it");
    if (hasCode(error, "ETXTBSY")) throw busy(path, "it is a program that is running");
    const failure = fromOs(error, { path, action: "write to" });
    const denied = failure instanceof FeError && failure.code === "FE_PERMISSION_DENIED";
    if (!seenBefore || !denied) throw failure;
    throw new FeError("FE_PERMISSION_CHANGED", `${failure.message} any more`, {
      path,
      cause: error,
    });
  }
}

async function readTarget(
  path: string,
  file: TargetFile,
  sizeBytes: number,
): Promise<{ before: ByteSource; inMemory: boolean }> {
  if (sizeBytes > inMemoryBytes) return { before: fileSource(file, sizeBytes), inMemory: false };
  const bytes = new Uint8Array(sizeBytes);
  const count = await file.read(bytes, 0);
  if (count !== sizeBytes) throw contentChanged(path, "it became shorter while it was read");
  return { before: bytesSource(bytes), inMemory: true };
}

/** Locates the edit; what a miss means depends on whether it was found before. */
export async function locateIn(
  context: TransactionContext,
  path: string,
  before: ByteSource,
  earlier: EarlierReading | undefined,
): Promise<Located> {
  const { expectedSha256 } = context.request;
  const { signal } = context.edit;
  const counts = earlier?.matchCounts;
  try {
    const located = await locateRequest(context, path, before, counts);
    if (expectedSha256 !== undefined && located.beforeSha256 !== expectedSha256) {
      throw contentChanged(path, `its SHA-256 is ${located.beforeSha256}`);
    }
    return located;
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw aborted(path, error);
    if (!(error instanceof MatchError)) throw error;
    if (expectedSha256 !== undefined) {
      const found = await hashOf(before);
      if (found !== expectedSha256) throw contentChanged(path, `its SHA-256 is ${found}`);
    }
    throw matchFailure(path, error, context.options, counts !== undefined);
  }
}

function locateRequest(
  context: TransactionContext,
  path: string,
  before: ByteSource,
  counts: readonly number[] | undefined,
): Promise<Located> {
  const { edits, lineEndings, codec, isEncodingNamed, whole } = context.request;
  const { signal, diff } = context.edit;
  const options = {
    ...(diff === true ? { diffPath: path } : {}),
    ...(signal === undefined ? {} : { signal }),
  };
  if (whole !== undefined) return locateWhole(before, whole.bytes, options);
  return locate(before, edits, {
    ...options,
    lineEndings,
    isEncodingNamed,
    maxAfterBytes: versionLimit(context.options).maxBytes,
    maxPlaces,
    ...(codec === undefined ? {} : { codec }),
    ...(counts === undefined ? {} : { requiredCounts: counts }),
  });
}
