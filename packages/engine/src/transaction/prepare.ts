/**
 * Step 9: the recovery record, durable by content and by name, before a byte of the target changes
 * (I1).
 */
import { RecordExistsError } from "@fe/journal";
import { hasCode } from "@fe/native";
import { FeError } from "../errors.ts";
import { fromOs, fromStore, isOfStore } from "../os-failure.ts";
import { busy } from "../recovery/refusals.ts";
import type { TransactionContext } from "./context.ts";
import { contentChanged } from "./miss.ts";
import { summed } from "./reading-tags.ts";
import type { MatchedEdit, PreparedEdit } from "./states.ts";
import { withdraw } from "./unwind.ts";

/**
 * Errors: `FE_BUSY` (somebody works without the key lock), `FE_NO_SPACE`, `FE_SYNC_FAILED`,
 * `FE_IO`, `FE_STORE_NOT_PRIVATE`, `FE_CONTENT_CHANGED` (the target changed while it was copied).
 * On failure no record is left; handle and key lock stay with the caller.
 */
export async function prepareEdit(
  context: TransactionContext,
  matched: MatchedEdit,
): Promise<PreparedEdit> {
  const { settled, baseline, before, located, tags } = matched;
  const { path, realPath } = settled.queued.identified.open.resolved;
  // What was matched in memory is what is recorded; anything else is hashed as it is recorded.
  const { beforeSum: beforeSha256, after } = located;
  const inMemory = matched.inMemory && after ? { beforeSha256, after } : undefined;
  const tag = tags?.newTag();
  const recorded = tag === undefined ? before : summed(before, tag);
  const draft = { realPath, ...baseline, before: recorded, inMemory, splices: located.splices };
  context.progress.begin("prepare", before.sizeBytes);
  let prepared: PreparedEdit;
  try {
    const record = await context.journal.prepare(settled.keyLock, draft);
    context.progress.complete();
    const kept = matched.inMemory ? before : record.before;
    prepared = { state: "prepared", matched, record, before: kept };
  } catch (error) {
    if (error instanceof RecordExistsError) throw busy(path, "another edit of it just began");
    const failed = { path, action: "save a record for" };
    if (isOfStore(error)) throw fromStore(error, failed, context.journal.directoryPath);
    throw syncFailure(path, error) ?? fromOs(error, failed);
  }
  const recordedSum = tag?.digest() ?? prepared.record.beforeImage.sha256;
  if (recordedSum !== located.beforeSum) {
    throw await withdraw(prepared, contentChanged(path, "it was written to while it was copied"));
  }
  return prepared;
}

function syncFailure(path: string, error: unknown): FeError | undefined {
  if (!hasCode(error, "EIO") || !/sync/i.test(error.operation)) return undefined;
  return new FeError(
    "FE_SYNC_FAILED",
    `Cannot edit "${path}": its record could not be made durable`,
    {
      path,
      operation: error.operation,
      hint: "The disk of the recovery directory reports errors; nothing was changed",
      cause: error,
    },
  );
}
