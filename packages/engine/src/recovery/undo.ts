/**
 * Takes a resolution back: an edit of the whole file to the bytes that the resolution replaced, or
 * to a version of its record that was not chosen. It is a transaction like any other, with a record
 * of its own, and refuses a file that does not hold just what the resolution wrote.
 *
 * U1  What it replaces is saved first, in the same way, so that the same command takes it back.
 */
import { type ByteSource, bytesSource, type SavedNote } from "@fe/journal";
import { type FileIdentity, hasCode } from "@fe/native";
import { chunksOf, fileSource, hashOf } from "../bytes.ts";
import { FeError } from "../errors.ts";
import type { UndoOptions } from "../options.ts";
import { fromOs } from "../os-failure.ts";
import { ProgressReport } from "../progress.ts";
import { shortId } from "../record-report.ts";
import type { UndoResult } from "../result.ts";
import { checkUndo } from "../settle-recovery.ts";
import type { EngineContext } from "../transaction/context.ts";
import { runTransaction } from "../transaction/transaction.ts";
import { dropCopy, replaceCopied, saveInStore } from "./copy.ts";
import { pathOf, type Resolved, resolvedRecords } from "./resolved.ts";
import { refuseWhileStanding } from "./standing.ts";

/** What an undo can put into the file, and where that belongs. */
interface Source {
  readonly id: string;
  readonly note: SavedNote;
  readonly bytes: Uint8Array;
  /** Where the bytes are saved; absent if they are a version of the record. */
  readonly savedAt?: string;
  /** Where they, or the record, are kept. */
  readonly keptAt: string;
}

/**
 * Errors: `FE_NOT_FOUND` (nothing is saved for this id), `FE_CONTENT_CHANGED`,
 * `FE_TARGET_REPLACED`, and those of an edit.
 */
export async function undoResolution(
  context: EngineContext,
  id: string,
  options: UndoOptions,
): Promise<UndoResult> {
  checkUndo(id, options);
  const { expectSha256, keep } = options;
  const kept = await resolvedWith(context, id);
  const path = pathOf(kept);
  try {
    const holds = await currentSha256(context, kept);
    const source =
      keep === undefined
        ? await savedSource(context, kept, holds)
        : await versionSource(context, kept, holds, keep);
    // Not before: of a file that was changed since, no other expectation leads anywhere.
    if (expectSha256 !== undefined && holds !== expectSha256.toLowerCase()) {
      throw otherContent(
        path,
        `its SHA-256 is ${holds}, not the one expected`,
        "Read the file again, and expect what it holds now",
      );
    }
    const { path: savedPath, sha256 } = await saveCurrent(context, path, source);
    const result = await replaceCopied(context.journal, savedPath, async () => {
      // What it would write over was not saved then: somebody wrote in between.
      if (sha256 !== holds) throw changedSince(kept);
      return runTransaction(transactionOf(context, path, holds, source, options));
    });
    if (result.status === "applied") return { ...result, recordId: source.id, savedPath };
    // Saved twice, it would be what the next undo brings back, in place of what is before it.
    await dropCopy(context.journal, savedPath);
    return { ...result, recordId: source.id };
  } catch (error) {
    throw fromOs(error, { path, action: "undo the resolution of" });
  }
}

/** The edit of the whole file, if it holds then what was saved. */
function transactionOf(
  context: EngineContext,
  path: string,
  expectedSha256: string,
  { bytes, note, savedAt }: Source,
  options: UndoOptions,
): Parameters<typeof runTransaction>[0] {
  return {
    ...context,
    request: {
      path,
      edits: [],
      expectedSha256,
      lineEndings: "exact",
      codec: undefined,
      isEncodingNamed: false,
      whole: { bytes, target: note.target, ...(savedAt !== undefined && { savedAt }) },
    },
    edit: options,
    progress: new ProgressReport(options.onProgress),
  };
}

function otherContent(path: string, why: string, hint: string): FeError {
  const message = `Cannot undo the resolution of "${path}": ${why}`;
  return new FeError("FE_CONTENT_CHANGED", message, { path, hint });
}

function changedSince(resolved: Resolved): FeError {
  return otherContent(
    pathOf(resolved),
    `it does not hold what the last resolve or undo of ${shortId(resolved.id)} wrote`,
    `It was changed since; edit it as it is now. ${whereSaved(resolved)}`,
  );
}

/** Of the file that a resolution wrote, and that is not there any more. */
function missing(resolved: Resolved, cause: unknown): FeError {
  const path = pathOf(resolved);
  return new FeError("FE_NOT_FOUND", `Cannot undo the resolution of "${path}": it is gone`, {
    path,
    hint: `If it was moved, move it back and try again. ${whereSaved(resolved)}`,
    cause,
  });
}

/** How a person gets by hand at what is kept. */
function whereSaved({ saved, record }: Resolved): string {
  const [newest] = saved;
  const told = [
    ...(newest === undefined ? [] : [`what was saved last stays at "${newest.path}"`]),
    ...(record === undefined ? [] : ["`recovery.show` gives the versions of the record"]),
  ].join(", and ");
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** What is saved for one record; with roots, only of files below them. */
async function resolvedWith(context: EngineContext, id: string): Promise<Resolved> {
  if (typeof id !== "string" || !/^[0-9a-f]{8,64}$/iu.test(id)) {
    throw new FeError("FE_INVALID_REQUEST", `"${id}" is no id: 8 to 64 hexadecimal digits`, {
      hint: "Give the id of a record that was resolved: `recovery.listResolved` shows it",
    });
  }
  await refuseWhileStanding(context, id);
  const all = await resolvedRecords(context);
  const found = all.filter((one) => one.id.startsWith(id.toLowerCase()));
  const [first, ...rest] = found;
  if (first === undefined) {
    throw new FeError("FE_NOT_FOUND", `No bytes are saved for record "${id}"`, {
      hint: `${whatIsSaved(context, all)}. They are kept for 30 days, at most 20 and 1 GiB of them`,
    });
  }
  if (rest.length > 0) {
    throw new FeError("FE_INVALID_REQUEST", `Several records begin with "${id}"`, {
      hint: "Give more characters of the id",
    });
  }
  return first;
}

/** Whoever has lost the id finds it here, too. */
function whatIsSaved({ options }: EngineContext, all: readonly Resolved[]): string {
  const kept = all.flatMap(({ saved, record }) => [...saved, ...(record ? [record] : [])]);
  const newestFirst = kept.sort((one, other) => other.savedMs - one.savedMs);
  // An id may have been given to several files, one after the other.
  const told = newestFirst.map(({ id, note }) => `${shortId(id)} of "${note.realPath}"`);
  const list = [...new Set(told)].join(", ");
  const where =
    options.roots === undefined ? "" : " below the roots (files outside of `roots` do not count)";
  return list === ""
    ? `There are no saved bytes${where}`
    : `There are saved bytes${where} for: ${list}`;
}

/** The bytes that were replaced by what the file holds now. */
async function savedSource(
  context: EngineContext,
  resolved: Resolved,
  holds: string,
): Promise<Source> {
  const { id, saved } = resolved;
  const [newest] = saved;
  if (newest === undefined) {
    throw new FeError("FE_NOT_FOUND", `The resolution of ${shortId(id)} replaced no bytes`, {
      hint: "Its record is kept: `recovery.undo` with `keep` puts one of its versions there",
    });
  }
  const one = saved.find(({ note }) => note.writtenSha256 === holds);
  if (one === undefined) throw changedSince(resolved);
  const opened = await context.journal.openSaved(one.path);
  if (opened === undefined) throw gone(id, one.path);
  try {
    const { note, path: savedAt } = one;
    return { id, note, bytes: await allOf(opened.bytes), savedAt, keptAt: savedAt };
  } finally {
    await opened.close();
  }
}

/** A version that may not have been chosen, of the record that was resolved last. */
async function versionSource(
  context: EngineContext,
  resolved: Resolved,
  holds: string,
  version: "before" | "after",
): Promise<Source> {
  const { id, record, saved } = resolved;
  if (record === undefined) {
    throw new FeError("FE_NOT_FOUND", `The record ${shortId(id)} is not kept any more`, {
      hint: "Without `keep`, what the file held before can be had back",
    });
  }
  // Of an earlier resolution under the same id, what was written does not count.
  const notes = [record.note, ...saved.filter((one) => one.savedMs >= record.savedMs).map(noteOf)];
  if (!notes.some((note) => note?.writtenSha256 === holds)) {
    throw changedSince(resolved);
  }
  const opened = await context.journal.openKept(record.path);
  try {
    const { realPath, target } = opened.metadata;
    const note = { realPath, target, writtenSha256: holds };
    return { id, note, bytes: await allOf(opened[version]), keptAt: record.path };
  } finally {
    await opened.close();
  }
}

function noteOf({ note }: { readonly note: SavedNote }): SavedNote {
  return note;
}

function gone(id: string, path: string): FeError {
  return new FeError("FE_NOT_FOUND", `The bytes saved for record ${shortId(id)} are gone`, {
    hint: `Others were saved after them; they stood at "${path}"`,
  });
}

async function allOf(source: ByteSource): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(source)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function withCurrent<T>(
  { os }: EngineContext,
  path: string,
  use: (source: ReturnType<typeof fileSource>, identity: FileIdentity) => Promise<T>,
): Promise<T> {
  const { target, parent } = await os.openTarget(path);
  try {
    const file = await target.openForReading();
    try {
      const { sizeBytes, identity } = await file.status();
      return await use(fileSource(file, sizeBytes), identity);
    } finally {
      await file.close();
    }
  } finally {
    await target.close();
    await parent.close();
  }
}

async function currentSha256(context: EngineContext, resolved: Resolved): Promise<string> {
  try {
    return await withCurrent(context, pathOf(resolved), hashOf);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) throw missing(resolved, error);
    throw error;
  }
}

/**
 * By the path of the edit: that of the source may be the one under which the file was known before.
 * The file may change after this; then the edit refuses (U1).
 */
function saveCurrent(
  context: EngineContext,
  realPath: string,
  { id, bytes, keptAt }: Source,
): Promise<{ readonly path: string; readonly sha256: string }> {
  return withCurrent(context, realPath, async (source, target) => {
    const writtenSha256 = await hashOf(bytesSource(bytes));
    const note = { realPath, target, writtenSha256 };
    // Or the copy could push out just what is to be put back, and the edit be refused then.
    return saveInStore(context.journal, id, source, note, keptAt);
  });
}
