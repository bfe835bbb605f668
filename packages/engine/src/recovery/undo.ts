/**
 * Takes a resolution back: an edit of the whole file to the bytes that the resolution replaced. It
 * is a transaction like any other, with a record of its own, and refuses a file that does not hold
 * just what the resolution wrote.
 *
 * U1  What it replaces is saved first, in the same way, so that the same command takes it back.
 */
import { bytesSource, type SavedBytes, type SavedNote } from "@fe/journal";
import type { FileIdentity } from "@fe/native";
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
import { mayTellOf } from "./conceal.ts";
import { saveInStore } from "./restore.ts";
import { refuseWhileStanding } from "./standing.ts";

type Saved = SavedBytes & { readonly note: SavedNote };

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
  const { expectSha256 } = options;
  const found = await savedFor(context, id);
  const [newest] = found;
  const path = newest.note.realPath;
  try {
    const holds = await currentSha256(context, path);
    if (expectSha256 !== undefined && holds !== expectSha256.toLowerCase()) {
      throw otherContent(
        path,
        `its SHA-256 is ${holds}, not the one expected`,
        "Read the file again, and expect what it holds now",
      );
    }
    const saved = found.find(({ note }) => note.writtenSha256 === holds);
    if (saved === undefined) {
      throw otherContent(
        path,
        `it does not hold what the last resolve or undo of ${shortId(id)} wrote`,
        "It was changed since; edit it as it is now. " +
          "What was saved stays in the folder `saved`",
      );
    }
    const bytes = await bytesOf(context, saved);
    const { target } = saved.note;
    const savedPath = await saveCurrent(context, saved, bytes);
    const result = await runTransaction({
      ...context,
      request: {
        path,
        edits: [],
        expectedSha256: saved.note.writtenSha256,
        lineEndings: "exact",
        codec: undefined,
        isEncodingNamed: false,
        whole: { bytes, target },
      },
      edit: options,
      progress: new ProgressReport(options.onProgress),
    });
    return { ...result, recordId: saved.id, savedPath };
  } catch (error) {
    throw fromOs(error, { path, action: "undo the resolution of" });
  }
}

function otherContent(path: string, why: string, hint: string): FeError {
  const message = `Cannot undo the resolution of "${path}": ${why}`;
  return new FeError("FE_CONTENT_CHANGED", message, { path, hint });
}

/** What is saved for one record, newest first; with roots, only of files below them. */
async function savedFor(context: EngineContext, id: string): Promise<readonly [Saved, ...Saved[]]> {
  if (typeof id !== "string" || !/^[0-9a-f]{8,64}$/iu.test(id)) {
    throw new FeError("FE_INVALID_REQUEST", `"${id}" is no id: 8 to 64 hexadecimal digits`, {
      hint: "Give the id of the record that was resolved; the answer of `recovery.resolve` has it",
    });
  }
  await refuseWhileStanding(context, id);
  const told = (await context.journal.listSaved()).filter((saved): saved is Saved => {
    const realPath = saved.note?.realPath;
    return realPath !== undefined && mayTellOf(context, realPath);
  });
  const [first, ...rest] = told.filter((saved) => saved.id.startsWith(id.toLowerCase()));
  if (first === undefined) {
    throw new FeError("FE_NOT_FOUND", `No bytes are saved for record "${id}"`, {
      hint: `${whatIsSaved(told)}. They are kept for 30 days, at most 20 and 1 GiB of them`,
    });
  }
  if (rest.some((saved) => saved.id !== first.id)) {
    throw new FeError("FE_INVALID_REQUEST", `Several records begin with "${id}"`, {
      hint: "Give more characters of the id",
    });
  }
  return [first, ...rest];
}

/** Whoever has lost the id finds it here: nothing else lists what has no record any more. */
function whatIsSaved(told: readonly Saved[]): string {
  const files = new Map(told.map(({ id, note }) => [shortId(id), note.realPath]));
  const list = [...files].map(([id, path]) => `${id} of "${path}"`).join(", ");
  return list === "" ? "There are no saved bytes" : `There are saved bytes for: ${list}`;
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

function currentSha256(context: EngineContext, path: string): Promise<string> {
  return withCurrent(context, path, hashOf);
}

async function bytesOf({ journal }: EngineContext, { path, id }: Saved): Promise<Uint8Array> {
  const opened = await journal.openSaved(path);
  if (opened === undefined) {
    throw new FeError("FE_NOT_FOUND", `The bytes saved for record ${shortId(id)} are gone`, {
      hint: "Others were saved after them; look into the folder `saved`",
    });
  }
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(opened.bytes)) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } finally {
    await opened.close();
  }
}

/** The file may change after this; then the edit refuses, and what is saved harms nobody (U1). */
function saveCurrent(context: EngineContext, saved: Saved, bytes: Uint8Array): Promise<string> {
  const { realPath } = saved.note;
  return withCurrent(context, realPath, async (source, target) => {
    const writtenSha256 = await hashOf(bytesSource(bytes));
    const kept = await saveInStore(context.journal, saved.id, source, {
      realPath,
      target,
      writtenSha256,
    });
    return kept.path;
  });
}
