/** Copies of what a resolution or an undo is about to replace. */
import type { ByteSource, Journal, SavedNote } from "@fe/journal";
import { FeError } from "../errors.ts";
import { fromStore, isOfStore } from "../os-failure.ts";

/** As `saveBytes`; a store that cannot take them is named. Errors: `FE_NO_SPACE` and the like. */
export async function saveInStore(
  journal: Journal,
  id: string,
  source: ByteSource,
  note: SavedNote,
  spared?: string,
): Promise<{ readonly path: string; readonly sha256: string }> {
  try {
    return await journal.saveBytes(id, source, note, spared);
  } catch (error) {
    if (!isOfStore(error)) throw error;
    const failed = {
      path: note.realPath,
      action: "save what stands in",
      record: "needed" as const,
    };
    throw fromStore(error, failed, journal.directoryPath);
  }
}

/**
 * Replaces what was copied to `copyPath`. If that fails and nothing was replaced, the copy goes
 * again: only so many are kept, and those of attempts that failed must not push out what a person
 * may want back.
 */
export async function replaceCopied<Result>(
  journal: Journal,
  copyPath: string | undefined,
  replace: () => Promise<Result>,
): Promise<Result> {
  try {
    return await replace();
  } catch (error) {
    const isAsBefore = error instanceof FeError && error.effect !== "unknown";
    if (copyPath !== undefined && isAsBefore) await dropCopy(journal, copyPath);
    throw error;
  }
}

/** Removes a copy of what is in the file yet. One too many harms nobody, so a failure is none. */
export async function dropCopy(journal: Journal, copyPath: string): Promise<void> {
  await journal.dropSaved(copyPath).catch(() => undefined);
}
